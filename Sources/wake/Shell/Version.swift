import StrictJSON
import WakeServer

/// What `wake --version` says.
enum Version {
  static let text = "wake \(Build.version)"
  static let document: JSONValue = [
    "version": .string(Build.version), "contract": .integer(Build.contract),
  ]
}
