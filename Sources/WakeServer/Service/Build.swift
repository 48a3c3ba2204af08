/// What this program is, wherever it says so.
package enum Build {
  /// Its version, by Semantic Versioning 2.0; what is in it stands under the newest heading of the changelog.
  package static let version = "0.1.0-dev"
  /// The version of the wire contract that it keeps.
  package static let contract: Int64 = 1
}
