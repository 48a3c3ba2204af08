internal import StrictJSON

/// What a companion keeps of one stack.
package struct CompanionStack: Sendable {
  /// The stack's id.
  package let stack: String
  /// The stack's label; its id until the service has told it.
  package var label: String
  /// The service's address.
  package let baseURL: String
  /// SHA-256 of the one certificate to accept; nil where the system decides.
  let fingerprint: String?
  package var device: String
  /// Nil once the service has ended the registration.
  var token: String?
  /// The last alert that was shown.
  package var cursor: String?
  package var kinds: [String] = []
  var catalogueVersion: String?
  /// The device's state when the service last told it.
  package var state: String?
  /// The one in use last; before it, while it is replaced, the one that is in use still. None without push.
  var subscriptions: [CompanionSubscription]
  /// The last message that was taken from the ntfy topic.
  var ntfyMessage: String?

  /// Whether the registration lives as far as is known.
  package var isPaired: Bool { token != nil }

  /// How wakes come.
  package var receives: String {
    guard let subscription = subscriptions.last else { return "nothing" }
    return subscription.ntfyTopic == nil ? "loopback" : "ntfy"
  }
}

extension CompanionStack {
  /// Back from the state file; nil where a member is missing or wrong.
  init?(_ json: JSONValue) {
    guard let stack = json["stack"]?.string, let label = json["label"]?.string,
      let baseURL = json["url"]?.string, let device = json["device"]?.string,
      case .array(let kinds)? = json["kinds"], case .array(let saved)? = json["subscriptions"]
    else { return nil }
    let subscriptions = saved.compactMap(CompanionSubscription.init)
    guard subscriptions.count == saved.count else { return nil }
    self.init(
      stack: stack, label: label, baseURL: baseURL, fingerprint: json["fingerprint"]?.string,
      device: device, token: json["token"]?.string, cursor: json["cursor"]?.string,
      kinds: kinds.compactMap(\.string), catalogueVersion: json["catalogueVersion"]?.string,
      state: json["state"]?.string, subscriptions: subscriptions,
      ntfyMessage: json["ntfyMessage"]?.string)
  }

  /// For the state file.
  var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "stack": .string(stack), "label": .string(label), "url": .string(baseURL),
      "fingerprint": text(fingerprint), "device": .string(device), "token": text(token),
      "cursor": text(cursor), "kinds": .array(kinds.map { .string($0) }),
      "catalogueVersion": text(catalogueVersion), "state": text(state),
      "subscriptions": .array(subscriptions.map(\.json)), "ntfyMessage": text(ntfyMessage),
    ]
  }

  /// Takes what an answer of the service says of the stack; members that are not there change nothing.
  mutating func learn(_ answer: JSONObject) {
    if let label = answer["label"]?.string, !label.isEmpty { self.label = label }
    if case .array(let kinds)? = answer["kinds"] { self.kinds = kinds.compactMap(\.string) }
    if let version = answer["catalogueVersion"]?.string { catalogueVersion = version }
  }
}
