internal import StrictJSON

/// The plaintext of a wake: `{"v":1,"s":"<stack>","mv":"<catalogue version>","w":"<receipt>"}`.
struct CompanionWake: Sendable, Equatable {
  let stack: String
  let catalogueVersion: String?
  /// To hand back; nil where there is none of the form of one.
  let receipt: String?

  /// Reads a plaintext; nil where it is no wake. Members that are not known are passed over.
  init?(_ plaintext: [UInt8]) {
    guard let json = try? StrictJSON.parse(plaintext), let stack = json["s"]?.string else { return nil }
    self.stack = stack
    catalogueVersion = json["mv"]?.string
    receipt = json["w"]?.string.flatMap { $0.isOpaque ? $0 : nil }
  }

  /// What a message says to the subscription that it came to, whose keys are tried one after the other.
  init?(_ body: [UInt8], to subscriptions: [CompanionSubscription]) {
    guard let plaintext = subscriptions.lazy.compactMap({ $0.open(body) }).first else { return nil }
    self.init(plaintext)
  }
}
