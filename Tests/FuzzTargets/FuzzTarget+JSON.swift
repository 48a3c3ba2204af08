import Foundation
import StrictJSON

extension FuzzTarget {
  /// JSON as requests bring it. What is accepted reads back as the same value after it was written, and another
  /// reader takes it too.
  static let json = FuzzTarget("json", lengthMaximum: 4_096) { octets in
    guard let value = try? StrictJSON.parse(octets) else { return }
    let written = value.serialized()
    guard let again = try? StrictJSON.parse(written, limits: JSONLimits(octets: .max)) else {
      throw FuzzFinding(description: "what was accepted is refused once it was written")
    }
    try require(again == value, "what was accepted changes by being written")
    try require(again.serialized() == written, "writing twice gives two texts")
    let other = try? JSONSerialization.jsonObject(with: Data(octets), options: .fragmentsAllowed)
    try require(other != nil, "another reader refuses what was accepted")
  }
}
