import Foundation
import StrictJSON
import TestSupport
import Testing

/// The public suite of JSON texts, read where it lies.
private struct PublicText: Sendable, CustomTestStringConvertible {
  let name: String
  let expect: String
  let octets: [UInt8]
  var testDescription: String { name }

  static let file = "json/jsontestsuite.json"

  static let all: [PublicText] = {
    struct File: Decodable {
      struct Case: Decodable {
        let name: String
        let expect: String
        let base64: Data
      }
      let cases: [Case]
    }
    guard let data = try? Vectors.data(file), let read = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return read.cases.map { PublicText(name: $0.name, expect: $0.expect, octets: [UInt8]($0.base64)) }
  }()

  static func all(_ expect: String) -> [PublicText] { all.filter { $0.expect == expect } }
}

@Suite("The public JSON test suite", .enabled(if: Vectors.has(PublicText.file), "\(Vectors.absent)"))
struct JSONTestSuiteTests {
  /// Texts that RFC 8259 allows and a rule of this service refuses.
  static let refusedByOurRule: [String: StrictJSONError] = [
    "y_object_duplicated_key.json": .duplicateKey,
    "y_object_duplicated_key_and_value.json": .duplicateKey,
    "y_object_escaped_null_in_key.json": .nulCharacter(offset: 15),
    "y_string_null_escape.json": .nulCharacter(offset: 9),
  ]

  @Test("a text that must be accepted is accepted, or refused by the rule that is listed")
  func accepts() {
    for text in PublicText.all("accept") {
      let result = Result { () throws(StrictJSONError) in try StrictJSON.parse(text.octets) }
      switch result {
      case .success: #expect(Self.refusedByOurRule[text.name] == nil, "\(text.name) is listed, but accepted")
      case .failure(let error): #expect(Self.refusedByOurRule[text.name] == error, "\(text.name): \(error)")
      }
    }
  }

  @Test("a text that must be refused is refused")
  func rejects() {
    for text in PublicText.all("reject") {
      #expect(throws: StrictJSONError.self, "\(text.name)") { try StrictJSON.parse(text.octets) }
    }
  }

  /// Of the texts that a parser may take or refuse, those that this one takes: numbers that round to zero.
  static let takenByChoice: Set = ["i_number_double_huge_neg_exp.json", "i_number_real_underflow.json"]

  @Test("a text that may be either is taken only where it is listed")
  func either() {
    for text in PublicText.all("either") {
      let isTaken = (try? StrictJSON.parse(text.octets)) != nil
      #expect(isTaken == Self.takenByChoice.contains(text.name), "\(text.name)")
    }
  }

  @Test("the suite is read whole")
  func isWhole() {
    #expect(PublicText.all("accept").count == 95)
    #expect(PublicText.all("reject").count == 188)
    #expect(PublicText.all("either").count == 35)
  }
}
