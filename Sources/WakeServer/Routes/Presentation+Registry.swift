package import EndpointRegistry
internal import KindCatalogue
package import PushDelivery
package import StrictJSON

extension Stack {
  /// The version of the list of kinds that the stack raises (`mv`).
  package var catalogueVersion: String { CatalogueVersion(kinds).text }
}

extension Presentation {
  /// A stack as its own companions and core see it.
  package static func stack(_ stack: Stack) -> JSONValue { .object(members(of: stack)) }

  /// A stack as its core and its operator see it: with what decides who is woken when.
  package static func ownStack(_ stack: Stack) -> JSONValue {
    var object = members(of: stack)
    object["quiet"] = names(stack.quiet)
    object["window"] = integer(stack.windowSeconds)
    return .object(object)
  }

  private static func members(of stack: Stack) -> JSONObject {
    [
      "stack": .string(stack.id.text),
      "label": .string(stack.label),
      "kinds": names(stack.kinds),
      "catalogueVersion": .string(stack.catalogueVersion),
      "vapidPublicKey": .string(stack.vapidPublicKey),
      "retention": retention,
    ]
  }

  /// A VAPID key as the operator sees it.
  package static func vapidKey(_ key: VAPIDKeyUse) -> JSONValue {
    [
      "vapidPublicKey": .string(key.publicKey), "current": .bool(key.isCurrent),
      "createdAt": time(key.createdAt), "replacedAt": time(key.replacedAt), "devices": integer(key.devices),
    ]
  }

  /// A device as its companion sees it: never endpoint or keys.
  package static func device(_ device: Device, at: Int64) -> JSONObject {
    [
      "device": .string(device.id.text),
      "stack": .string(device.stack.text),
      "label": text(device.label),
      "state": .string(device.state(at: at).rawValue),
      "pushServer": text(device.pushServer),
      "temporary": .bool(device.temporary),
      "muted": names(device.muted),
      "since": time(device.since),
      "lastWake": time(device.lastWakeAt),
      "lastReceipt": time(device.lastReceiptAt),
      "gone": device.gone.map { gone in
        [
          "at": time(gone.at), "pushServer": .string(gone.pushServer),
          "status": .integer(Int64(gone.status)),
        ]
      } ?? .null,
    ]
  }

  /// A device as the operator sees it: with the digest that tells two endpoints apart.
  package static func listedDevice(_ device: Device, at: Int64) -> JSONValue {
    var object = Self.device(device, at: at)
    object["stackLabel"] = .string(device.stackLabel)
    object["endpointDigest"] = text(device.endpointDigest)
    return .object(object)
  }

  package static func alert(_ alert: Alert) -> JSONValue {
    [
      "id": .string(alert.id.text),
      "at": time(alert.at),
      "kind": .string(alert.kind.name),
      "event": text(alert.event),
      "ref": text(alert.ref),
      "moment": text(alert.moment?.rawValue),
      "alert": alert.alert.flatMap { try? StrictJSON.parse($0) } ?? .null,
    ]
  }

  package static func gap(_ gap: AlertGap?) -> JSONValue {
    guard let gap else { return .null }
    return [
      "reason": .string(gap.reason.rawValue),
      "oldest": text(gap.oldest?.text),
      "newest": .string(gap.newest.text),
    ]
  }

  /// What became of a stack's wakes, as its core is told.
  package static func delivery(_ delivery: StackDelivery) -> JSONValue {
    let devices = DeviceState.allCases.map { state in
      (state.rawValue, JSONValue.integer(Int64(delivery.devices[state] ?? 0)))
    }
    return [
      "devices": .object(JSONObject(uniqueMembers: devices)),
      "pushServers": .array(
        delivery.pushServers.map { server in
          .object(pushServer(server, reason: server.toldReason, explanation: server.toldExplanation))
        }),
    ]
  }

  /// A push server as the operator sees it, over all stacks.
  static func listedPushServer(_ server: PushServerDelivery) -> JSONValue {
    var object = pushServer(server, reason: server.reason, explanation: server.explanation)
    object["lastStatus"] = integer(server.lastStatus)
    return .object(object)
  }

  private static func pushServer(
    _ server: PushServerDelivery, reason: String?, explanation: Explanation?
  ) -> JSONObject {
    [
      "origin": .string(server.origin),
      "devices": .integer(Int64(server.devices)),
      "lastOutcome": text(server.lastOutcome?.rawValue),
      "lastAttempt": time(server.lastAt),
      "lastAccepted": time(server.lastAcceptedAt),
      "held": server.heldUntil.map { ["until": time($0)] } ?? .null,
      "reason": text(reason ?? explanation?.cause),
      "explanation": Self.explanation(explanation),
    ]
  }

  /// A code that nobody has used.
  static func openPairing(_ pairing: OpenPairing) -> JSONValue {
    [
      "pairing": .string(pairing.id.text), "stack": .string(pairing.stack.text),
      "createdAt": time(pairing.createdAt), "expiresAt": time(pairing.expiresAt),
    ]
  }

  /// A code that was made just now: shown once. `uri` is nil where nobody said how companions reach the service.
  package static func pairing(
    _ code: Token, uri: String?, stack: StackID, expiresAt: Int64
  ) -> JSONValue {
    [
      "pairing": .string(PairingID(of: code).text), "code": .string(code.text), "uri": text(uri),
      "stack": .string(stack.text), "expiresAt": time(expiresAt),
    ]
  }

  /// Why a wake did not go through, and what to do; null where there is nothing to explain.
  package static func explanation(_ explanation: Explanation?) -> JSONValue {
    explanation.map { ["cause": .string($0.cause), "fix": .string($0.fix)] } ?? .null
  }

  package static func attempt(_ attempt: Attempt) -> JSONValue {
    [
      "id": .integer(attempt.id),
      "at": time(attempt.at),
      "stack": .string(attempt.stack.text),
      "device": .string(attempt.device.text),
      "purpose": .string(attempt.purpose.rawValue),
      "alerts": [
        "first": text(attempt.alertFirst?.text), "last": text(attempt.alertLast?.text),
        "count": .integer(Int64(attempt.alertCount)),
      ],
      "outcome": .string(attempt.outcome.rawValue),
      "status": integer(attempt.status),
      "reason": text(attempt.reason ?? attempt.explanation?.cause),
      "explanation": explanation(attempt.explanation),
      "pushServer": text(attempt.pushServer),
      "milliseconds": integer(attempt.milliseconds),
      "receiptAt": time(attempt.receiptAt),
    ]
  }
}
