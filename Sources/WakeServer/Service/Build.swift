/// What this program is.
package enum Build {
  /// Its version; the changelog says what is in it.
  package static let version = "unreleased"
  /// The version of the wire contract that it keeps.
  package static let contract = "1"
}
