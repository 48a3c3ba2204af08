import StrictJSON
import Testing

@Suite("Writing JSON")
struct WritingTests {
  @Test("one line, no white space, members in order")
  func compact() {
    let value: JSONValue = [
      "z": [1, -2, nil, true, false], "a": ["b": "c"], "e": [], "o": .object(JSONObject()),
    ]
    #expect(value.text == #"{"z":[1,-2,null,true,false],"a":{"b":"c"},"e":[],"o":{}}"#)
    #expect(value.serialized() == Array(value.text.utf8))
  }

  @Test("strings are escaped where JSON asks for it, and where a terminal or a line would break")
  func escapes() {
    let value: JSONValue = "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{9b}\u{2028}\u{2029}ä😀"
    #expect(
      value.text
        == #""\"\\/\b\f\n\r\t\u0000\u001f\u007f\u009b\u2028\u2029ä😀""#)
    let object: JSONValue = ["\"": 1]
    #expect(object.text == #"{"\"":1}"#)
  }

  @Test("scalars of every plane, and all of the first, are read back as they were written")
  func scalars() throws {
    for plane in 0...16 {
      var text = ""
      for code in stride(from: UInt32(plane) << 16, to: UInt32(plane + 1) << 16, by: plane == 0 ? 1 : 97)
      where code != 0 {
        if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
      }
      let written = JSONValue.string(text).serialized()
      #expect(!written.contains { $0 < 0x20 || $0 == 0x7F })
      let read = try StrictJSON.parse(written, limits: JSONLimits(octets: 1_000_000)).string
      #expect(read?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "plane \(plane)")
    }
  }

  @Test(
    "a double is written with the fewest digits that read back the same, and stays a double",
    arguments: [
      0, -0.0, 1, 0.1, 1.0 / 3, 1e21, 1e16, 123_456_789.125, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      -2.5e-10,
      9_007_199_254_740_992,
    ] as [Double])
  func doubles(_ double: Double) throws {
    let read = try StrictJSON.parse(JSONValue.number(double).serialized())
    guard case .number(let back) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(back.bitPattern == double.bitPattern)
    #expect(JSONValue.number(double).text.utf8.count <= 25)
  }

  @Test(
    "what is no number in JSON is written as null",
    arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func notFinite(_ double: Double) {
    #expect(JSONValue.number(double).text == "null")
  }

  @Test("integers are written to the digit")
  func integers() {
    #expect(JSONValue.integer(.max).text == "9223372036854775807")
    #expect(JSONValue.integer(.min).text == "-9223372036854775808")
  }

  @Test("what was read is written so that it reads the same")
  func roundTrip() throws {
    let text = #"{"a":[1,2.5,"ä\n",{"b":null,"c":[true,false,[],{}]}],"\u0001":-1e-7}"#
    let value = try StrictJSON.parse(Array(text.utf8))
    #expect(try StrictJSON.parse(value.serialized()) == value)
  }
}

@Suite("JSON values")
struct ValueTests {
  @Test("accessors give what is there and nil for everything else")
  func accessors() {
    #expect(JSONValue.null.isNull)
    #expect(JSONValue("a").string == "a")
    #expect(JSONValue(integerLiteral: 1).integer == 1)
    #expect(JSONValue(integerLiteral: 1).number == 1)
    #expect(JSONValue.number(1).integer == nil)
    #expect(JSONValue(true).bool == true)
    #expect(JSONValue("1").integer == nil)
    #expect(JSONValue(1).string == nil)
    let object: JSONValue = ["a": 1]
    let array: JSONValue = [1]
    #expect(object["a"] == 1)
    #expect(array["a"] == nil)
    #expect(array.array == [1])
    #expect(object.object == ["a": 1])
  }

  @Test("a member is replaced in its place, added at the end, removed by nil")
  func members() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = .null
    object["b"] = nil
    object["x"] = nil
    #expect(object.names == ["a", "c"])
    #expect(object["a"] == 3)
    #expect(object["c"] == .some(.null))
  }

  @Test("two members of one name in an object of our own are a bug")
  func ownDuplicates() async {
    await #expect(processExitsWith: .failure) {
      _ = JSONObject(uniqueMembers: [("a", 1), ("a", 2)])
    }
  }
}
