import Testing

@testable import WebPushCrypto

@Suite("The JSON of a token (RFC 8259)")
struct JSONTextTests {
  @Test("a flat object gives its strings and integers")
  func members() {
    let text = #" { "a" : "x" , "b":-1,"c":0,"d":1.5,"e":2E+3,"f":true,"g":false,"h":null,"i":"" } "#
    #expect(
      JSONText.flatObject(Array(text.utf8)) == [
        "a": .string("x"), "b": .integer(-1), "c": .integer(0), "d": .other, "e": .other, "f": .other,
        "g": .other, "h": .other, "i": .string(""),
      ])
    #expect(JSONText.flatObject(Array("{}".utf8)) == [:])
  }

  @Test("escapes stand for their characters")
  func escapes() {
    let text = #"{"a":"\"\\\/\b\f\n\r\t\u0041\u00fc\ud83d\ude00\u0000"}"#
    #expect(
      JSONText.flatObject(Array(text.utf8)) == ["a": .string("\"\\/\u{8}\u{c}\n\r\tAü😀\u{0}")])
  }

  @Test(
    "what is not one flat object is refused",
    arguments: [
      "", "{", "}", "[]", "null", "\"a\"", "{}{}", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
      #"{a:1}"#,
      #"{'a':1}"#, #"{"a":1 "b":2}"#, #"{"a":[1]}"#, #"{"a":{}}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":+1}"#,
      #"{"a":1.}"#, #"{"a":.1}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-01}"#, #"{"a":tru}"#, #"{"a":nul"#,
      #"{"a":True}"#, #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u+123"}"#,
      #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"\ud800\ud800"}"#,
      #"{"a":"\ud83d\ud"#,
      #"{"a":"\"#, "{\"a\":\"\u{1}\"}", "{\"a\":\"\n\"}", "\u{feff}{}", #"{"a":1,"a":2}"#,
      #"{"a":1,"\u0061":2}"#,
      #"{"a":1}//"#, #"{"a":NaN}"#, #"{"a":0x1}"#, #"{"":1,"":2}"#,
    ])
  func refused(text: String) {
    #expect(JSONText.flatObject(Array(text.utf8)) == nil)
  }

  @Test(
    "a string that is not UTF-8 is refused",
    arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
  func notUTF8(octets: [UInt8]) {
    #expect(JSONText.flatObject(Array(#"{"a":""#.utf8) + octets + Array(#""}"#.utf8)) == nil)
  }

  @Test("every character is quoted so that it is read back as itself")
  func quoted() throws {
    #expect(JSONText.quoted("a\"\\/\n\u{1}ü") == #""a\"\\/\u000a\u0001ü""#)
    for value in Array(0...0x2ff) + [0x2028, 0xfffd, 0x1f600, 0x10ffff] {
      let text = String(try #require(Unicode.Scalar(UInt32(value)))) + "x"
      #expect(JSONText.flatObject(Array("{\"a\":\(JSONText.quoted(text))}".utf8)) == ["a": .string(text)])
    }
  }
}
