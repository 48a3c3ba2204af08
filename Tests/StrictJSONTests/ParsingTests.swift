import StrictJSON
import Testing

@Suite("Reading JSON")
struct ParsingTests {
  private func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(StrictJSONError) -> JSONValue {
    try StrictJSON.parse(Array(text.utf8), limits: limits)
  }

  private func error(_ text: String, limits: JSONLimits = JSONLimits()) -> StrictJSONError? {
    do throws(StrictJSONError) {
      _ = try parse(text, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test("every kind of value is read")
  func values() throws {
    #expect(try parse("null") == nil)
    #expect(try parse(" true ") == true)
    #expect(try parse("false") == false)
    #expect(try parse("-0") == 0)
    #expect(try parse("-12") == -12)
    #expect(try parse("1.0") == .number(1))
    #expect(try parse("1e2") == .number(100))
    #expect(try parse(#""a\u00e4\ud83d\ude00\/\b""#) == "aä😀/\u{8}")
    #expect(try parse("[]") == [])
    #expect(try parse("{}") == .object(JSONObject()))
    #expect(try parse(#"[1,[2.5,{"a":null}]]"#) == [1, [2.5, ["a": nil]]])
  }

  @Test("members keep their order and are found by name, escaped or not")
  func order() throws {
    let object = try #require(try parse(#"{"z":1,"a":2,"\u006d":3,"":4}"#).object)
    #expect(object.names == ["z", "a", "m", ""])
    #expect(object["m"] == 3)
    #expect(object[""] == 4)
    #expect(object["x"] == nil)
  }

  @Test("names that look alike but differ in code points are two")
  func normalisation() throws {
    let object = try #require(try parse(#"{"\u00e4":1,"a\u0308":2}"#).object)
    #expect(object.count == 2)
    #expect(object["\u{e4}"] == 1)
    #expect(object["a\u{308}"] == 2)
  }

  @Test(
    "two members of one name are refused in every spelling, at every depth",
    arguments: [
      #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":1}"#, #"{"\u0061":1,"\u0061":1}"#,
      #"{"a":1,"b":2,"a":1}"#, #"[{"x":{"a":1,"a":2}}]"#, #"{"":1,"":2}"#, #"{"😀":1,"\ud83d\ude00":2}"#,
      #"{"/":1,"\/":2}"#, #"{"a":{"a":1},"a":2}"#, #"{"A\n":1,"A\u000A":2}"#,
    ])
  func duplicates(_ text: String) {
    #expect(error(text) == .duplicateKey)
  }

  @Test("equal names in different objects are no duplicates, nor are names of different case")
  func noDuplicates() {
    #expect(error(#"{"a":{"a":{"a":1}},"b":{"a":1},"A":1}"#) == nil)
  }

  @Test(
    "NUL is refused wherever it stands",
    arguments: [
      #""\u0000""#, #"{"a\u0000b":1}"#, "\"\0\"", "[1\0]", "{}\0", "123\0", "123\0garbage", "\0", "[]\0[]",
      "\0{}",
      #"{"a":"\u0000"}"#,
    ])
  func nul(_ text: String) {
    guard case .nulCharacter = error(text) else {
      Issue.record("\(String(describing: error(text)))")
      return
    }
  }

  @Test(
    "what is not JSON is malformed",
    arguments: [
      "", " ", "[1,]", #"{"a":1,}"#, "[,]", "{,}", #"{"a"}"#, #"{"a":}"#, "{a:1}", "['a']", "[1 2]", "[1]]",
      "{}}",
      "nul", "True", "NaN", "Infinity", "-", "+1", "01", "1.", ".5", "1e", "0x1", "//\n1", "/**/1", "[1] x",
      "\"", "[",
      "{", #"{"a":1"#, #""\x""#, #""\u12""#, "\"\n\"", "\"\t\"", #""\ud800""#, #""\udc00""#,
      #""\ud800\ud800""#,
      #"{"\ud800":1}"#, "\u{FEFF}{}", "\u{A0}1", "１",
    ])
  func malformed(_ text: String) {
    guard case .malformed(let offset) = error(text) else {
      Issue.record("\(String(describing: error(text)))")
      return
    }
    #expect((0...text.utf8.count).contains(offset))
  }

  @Test(
    "octets that are no UTF-8 are refused",
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0xFF, 0xFE, 0x7B, 0x7D], [0x22, 0xF0, 0x9F, 0x98], [0x80],
      [0x5B, 0xE4, 0x5D],
    ] as [[UInt8]])
  func notUTF8(_ octets: [UInt8]) {
    do throws(StrictJSONError) {
      _ = try StrictJSON.parse(octets)
      Issue.record("taken")
    } catch {
      guard case .invalidUTF8 = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("integers of 64 bits are kept to the digit, larger ones are out of range")
  func integers() throws {
    #expect(try parse("9223372036854775807") == .integer(.max))
    #expect(try parse("-9223372036854775808") == .integer(.min))
    for text in ["9223372036854775808", "-9223372036854775809", "1" + String(repeating: "0", count: 400)] {
      guard case .numberOutOfRange = error(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("reals beyond a double are out of range, small ones become zero")
  func reals() throws {
    #expect(try parse("1.7976931348623157e308") == .number(.greatestFiniteMagnitude))
    #expect(try parse("5e-324") == .number(.leastNonzeroMagnitude))
    #expect(try parse("1e-400") == .number(0))
    for text in ["1e309", "-1e309", "1e99999999999", "0." + String(repeating: "9", count: 400) + "e400"] {
      guard case .numberOutOfRange = error(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("a text up to the limit of octets is read, one octet more is not even looked at")
  func octets() throws {
    let limits = JSONLimits(octets: 10)
    #expect(error("\"12345678\"", limits: limits) == nil)
    #expect(error("\"123456789\"", limits: limits) == .tooLarge)
    #expect(error("\u{FEFF}\0\0\0\0\0\0\0\0\0\0", limits: limits) == .tooLarge)
    let whole = "\"" + String(repeating: "a", count: 65_534) + "\""
    #expect(error(whole) == nil)
    #expect(error(whole + " ") == .tooLarge)
  }

  @Test("no error repeats the text")
  func errorsAreSilent() {
    for text in ["secret", #"{"secret":1,"secret":2}"#, #"{"secret\u0000":1}"#, "[secret", #"{"a":"secret"#] {
      #expect(error(text)?.description.contains("secret") == false)
    }
  }
}
