internal import EndpointRegistry
internal import HTTPListener
internal import PushDelivery
internal import StrictJSON

/// Registration with a pairing token, and what a companion may do with its own registration.
struct DeviceRoutes: Sendable {
  let store: any RegistryStore
  let policy: AddressPolicy
  let nudge: any Nudge
  let metrics: ServiceMetrics

  var routes: [Route] {
    [
      Route(
        "POST", "/v1/stacks/{stack}/devices", access: .stack([.pairing]), limit: .changes,
        handler: register),
      Route("GET", "/v1/stacks/{stack}/devices/{device}", access: .device, handler: show),
      Route(
        "PATCH", "/v1/stacks/{stack}/devices/{device}", access: .device, limit: .changes, handler: change),
      Route(
        "DELETE", "/v1/stacks/{stack}/devices/{device}", access: .device, limit: .changes, handler: remove),
      Route("POST", "/v1/stacks/{stack}/devices/{device}/receipts", access: .device, handler: receive),
      Route(
        "POST", "/v1/stacks/{stack}/devices/{device}/test", access: .device, limit: .tests, handler: test),
    ]
  }

  @Sendable private func register(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    guard let pairing = context.caller?.token else {
      throw Problem(.forbidden, "This needs a pairing token.")
    }
    let registration = try RegistrationRequest(context.object(), pairing: pairing, policy: policy)
      .registration
    let result = try await registry { () async throws(RegistryError) in
      try await store.register(registration, at: context.at)
    }
    let device = result.device
    if result.subscriptionChanged { nudge.subscriptionChanged(device.id, of: device.stack) }
    var answer = Presentation.device(device, at: context.at)
    answer["token"] = .string(result.token.text)
    answer["cursor"] = .string(result.cursor.text)
    answer["vapidPublicKey"] = .string(result.vapidPublicKey)
    return .json(
      .object(answer), status: result.created ? 201 : 200,
      headers: [("Location", "/v1/stacks/\(device.stack.text)/devices/\(device.id.text)")])
  }

  @Sendable private func show(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let id = try context.device
    let device = try await registry { () async throws(RegistryError) in try await store.device(id) }
    guard let device else { throw Problem(RegistryError.gone) }
    return .json(.object(Presentation.device(device, at: context.at)))
  }

  @Sendable private func change(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let body = try context.object([MediaType.json, MediaType.mergePatch])
    let patch = try DevicePatch(body, policy: policy)
    let id = try context.device
    let update = try await registry { () async throws(RegistryError) in
      try await store.updateDevice(id, patch.change, at: context.at)
    }
    let stack = update.device.stack
    if update.subscriptionChanged {
      nudge.subscriptionChanged(id, of: stack)
    } else {
      nudge.devicesChanged(of: stack)
    }
    return .json(.object(Presentation.device(update.device, at: context.at)))
  }

  @Sendable private func remove(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let id = try context.device
    try await registry { () async throws(RegistryError) in try await store.removeDevice(id, at: context.at) }
    return .noContent
  }

  /// A receipt says that a wake arrived. One that is not known here is taken without a word.
  @Sendable private func receive(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let fields = Fields(object: try context.object())
    guard let value = fields.value("w") else {
      throw fields.missing("w", "send the `w` of the wake that arrived")
    }
    guard case .string(let receipt) = value else { throw fields.invalid("w", "must be a string") }
    let id = try context.device
    let begun = try await registry { () async throws(RegistryError) in
      try await store.receive(receipt, from: id, at: context.at)
    }
    if let begun { metrics.receiptCame(of: begun, at: context.at) }
    return .noContent
  }

  /// Sends a wake and does not wait for it: its receipt is the proof.
  @Sendable private func test(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let id = try context.device
    let device = try await registry { () async throws(RegistryError) in try await store.device(id) }
    guard let device else { throw Problem(RegistryError.gone) }
    guard device.pushServer != nil else { throw Problem.nothingToWake(device, at: context.at) }
    nudge.testAsked(id, of: device.stack)
    return .json(.object(Presentation.device(device, at: context.at)), status: 202)
  }
}

extension Problem {
  /// A test wake was asked for, and there is no subscription to send it to.
  static func nothingToWake(_ device: Device, at: Int64) -> Problem {
    Problem(
      .invalidField,
      "This device has no subscription to wake (its state is \(device.state(at: at).rawValue)).")
  }
}
