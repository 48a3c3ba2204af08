internal import EndpointRegistry
internal import HTTPListener

/// The doctor, for the operator and for a companion.
struct DoctorRoutes: Sendable {
  let doctor: Doctor
  private let places = DoctorPlaces()

  init(doctor: Doctor) { self.doctor = doctor }

  var routes: [Route] {
    [
      Route("POST", "/v1/admin/doctor", door: .admin, access: .operatorOnly, handler: all),
      Route("POST", "/v1/admin/devices/{device}/doctor", door: .admin, access: .operatorOnly, handler: one),
      Route(
        "POST", "/v1/stacks/{stack}/devices/{device}/doctor", access: .device, limit: .examinations,
        handler: own),
    ]
  }

  @Sendable private func all(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let doctor = doctor
    return await DoctorAnswer.to(context) { await doctor.examineAll($0) }
  }

  @Sendable private func one(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let seconds = try Query(context.request.query).wait()
    let device = try await existing(context.device)
    let doctor = doctor
    return await DoctorAnswer.to(context) { await doctor.examine(device, waiting: seconds, $0) }
  }

  @Sendable private func own(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let seconds = try Query(context.request.query)
      .wait(secondsMaximum: ReceiptCheck.secondsMaximumOfCompanions)
    let device = try await existing(context.device)
    try places.take(for: device.id)
    let (doctor, places) = (doctor, places)
    return await DoctorAnswer.to(context) { examination in
      await doctor.examineForCompanion(device, waiting: seconds, examination)
      places.giveBack(of: device.id)
    }
  }

  private func existing(_ id: DeviceID) async throws(Problem) -> Device {
    let store = doctor.store
    let device = try await registry { () async throws(RegistryError) in try await store.device(id) }
    if let device { return device }
    let wasRevoked = try await registry { () async throws(RegistryError) in try await store.wasRevoked(id) }
    guard wasRevoked else { throw Problem(RegistryError.notFound) }
    throw Problem(
      .gone,
      "The device was revoked, or removed by its app: no wake goes to it. Pair the phone again: wake pair STACK."
    )
  }
}

extension Query {
  /// The seconds for which a receipt is waited for: `wait`, from 0 to a maximum.
  fileprivate func wait(secondsMaximum: Int = ReceiptCheck.secondsMaximum) throws(Problem) -> Int {
    guard let text = sent("wait") else { return ReceiptCheck.secondsUsual }
    guard let seconds = WholeNumber.parse(text, in: 0...secondsMaximum) else {
      var problem = Problem(
        .malformedRequest, "`wait` must be whole seconds from 0 to \(secondsMaximum).")
      // Nothing was looked at: it takes none of a companion's examinations.
      problem.isTurnedAway = true
      throw problem
    }
    return seconds
  }
}
