public import Foundation

/// Decoding of test vectors that fails on a member nobody reads: a vector that says more than the test looks at is
/// a vector that is only half checked.
public enum StrictDecoding {
  /// A member of the file that `type` does not have, by its path.
  public struct UnknownMember: Error, CustomStringConvertible {
    /// `cases.3.expcet`
    public let path: String
    /// A sentence for the test's report.
    public var description: String { "the vector file has a member that the test does not know: \(path)" }
  }

  /// Decodes `data`, encodes the result again and compares the members of both. A member that `type` should ignore
  /// has to be declared in it all the same.
  public static func decode<Value: Codable>(_ type: Value.Type, from data: Data) throws -> Value {
    let value = try JSONDecoder().decode(type, from: data)
    let known = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
    try compare(JSONSerialization.jsonObject(with: data), known, path: [])
    return value
  }

  private static func compare(_ found: Any, _ known: Any?, path: [String]) throws {
    if let found = found as? [String: Any] {
      let known = known as? [String: Any] ?? [:]
      for (name, value) in found {
        guard let counterpart = known[name] else {
          throw UnknownMember(path: (path + [name]).joined(separator: "."))
        }
        try compare(value, counterpart, path: path + [name])
      }
    } else if let found = found as? [Any] {
      let known = known as? [Any] ?? []
      for (index, value) in found.enumerated() {
        guard known.indices.contains(index) else {
          throw UnknownMember(path: (path + [String(index)]).joined(separator: "."))
        }
        try compare(value, known[index], path: path + [String(index)])
      }
    }
  }
}
