import StrictJSON
import Testing

/// A way to nest: what opens a level, what stands inside, what closes it.
private struct Nesting: Sendable, CustomTestStringConvertible {
  let open: String
  let core: String
  let close: String
  var testDescription: String { "\(open)\(core)\(close)" }

  func text(_ depth: Int, isClosed: Bool = true) -> [UInt8] {
    let text = String(repeating: open, count: depth) + core
    return Array((isClosed ? text + String(repeating: close, count: depth) : text).utf8)
  }

  static let all = [
    Nesting(open: "[", core: "", close: "]"), Nesting(open: "[", core: "1", close: "]"),
    Nesting(open: #"{"a":"#, core: "{}", close: "}"), Nesting(open: #"{"a":"#, core: "1", close: "}"),
    Nesting(open: #"[{"a":"#, core: "[]", close: "}]"), Nesting(open: #"[{"\"[":"#, core: "[]", close: "}]"),
    Nesting(open: "[1,", core: "2", close: "]"), Nesting(open: " [ ", core: #""]""#, close: " ] "),
    Nesting(open: #"{"endpoint":"x","k":"#, core: "1", close: "}"),
  ]
}

@Suite("Nesting")
struct NestingTests {
  private static let wide = 100_000_000

  @Test("nesting up to the limit is read, one level more is refused", arguments: 0...3)
  func limit(_ limit: Int) throws {
    let limits = JSONLimits(depth: limit)
    _ = try StrictJSON.parse(Nesting.all[1].text(limit), limits: limits)
    #expect(throws: StrictJSONError.tooDeep) {
      try StrictJSON.parse(Nesting.all[1].text(limit + 1), limits: limits)
    }
  }

  @Test("the contract's 32 levels are read and 33 are not")
  func contract() throws {
    _ = try StrictJSON.parse(Nesting.all[0].text(32))
    #expect(throws: StrictJSONError.tooDeep) { try StrictJSON.parse(Nesting.all[0].text(33)) }
    _ = try StrictJSON.parse(Nesting.all[3].text(32))
    #expect(throws: StrictJSONError.tooDeep) { try StrictJSON.parse(Nesting.all[3].text(33)) }
  }

  @Test(
    "hundreds and a hundred thousand levels are refused in every form, closed or not", arguments: Nesting.all)
  private func deep(_ nesting: Nesting) {
    for depth in Array(500...520) + [2_047, 2_048, 2_049, 100_000] {
      for isClosed in [true, false] {
        #expect(throws: StrictJSONError.tooDeep) {
          try StrictJSON.parse(nesting.text(depth, isClosed: isClosed), limits: JSONLimits(octets: Self.wide))
        }
      }
    }
  }

  @Test(
    "the deepest limit that may be asked for works, and is smaller than the parser's own",
    arguments: Nesting.all)
  private func deepest(_ nesting: Nesting) throws {
    let limits = JSONLimits(octets: Self.wide, depth: .max)
    #expect(limits.depth == JSONLimits.depthMaximum)
    let levels = Array(nesting.testDescription.utf8.filter { "[{".utf8.contains($0) }).count
    let value = try StrictJSON.parse(nesting.text(900 / max(levels, 1)), limits: limits)
    #expect(try StrictJSON.parse(value.serialized(), limits: limits) == value)
    #expect(throws: StrictJSONError.tooDeep) { try StrictJSON.parse(nesting.text(5_000), limits: limits) }
  }

  @Test("brackets in strings are no nesting, whatever stands before them")
  func strings() throws {
    let brackets = String(repeating: "[{", count: 1_000)
    for text in [
      #""\#(brackets)""#, #""\"\#(brackets)""#, #""\\\"\#(brackets)""#, #"{"\#(brackets)":"]\\"}"#,
    ] {
      _ = try StrictJSON.parse(Array(text.utf8))
    }
    // A backslash that is itself escaped ends nothing: the string is over, the brackets are real.
    #expect(throws: StrictJSONError.tooDeep) { try StrictJSON.parse(Array(#"["\\",\#(brackets)"#.utf8)) }
  }

  @Test("closing brackets too many do not make room for more")
  func unbalanced() {
    let text = String(repeating: "]", count: 1_000) + String(repeating: "[", count: 1_000)
    #expect(throws: StrictJSONError.self) { try StrictJSON.parse(Array(text.utf8)) }
  }

  @Test("width is no depth")
  func wide() throws {
    let text = "[" + Array(repeating: "[[]]", count: 10_000).joined(separator: ",") + "]"
    #expect(try StrictJSON.parse(Array(text.utf8)).array?.count == 10_000)
  }
}
