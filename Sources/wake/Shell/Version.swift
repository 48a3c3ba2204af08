import StrictJSON

/// Which program this is.
enum Version {
  /// By Semantic Versioning 2.0; the heading of the newest part of the changelog.
  static let text = "0.1.0-dev"
  /// Of the wire contract.
  static let contract: Int64 = 1

  static let document: JSONValue = ["version": .string(text), "contract": .integer(contract)]
}
