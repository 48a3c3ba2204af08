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
    guard let device else { throw Problem(RegistryError.notFound) }
    return device
  }
}

extension Query {
  /// The seconds for which a receipt is waited for: `wait`, from 0 to a maximum.
  fileprivate func wait(secondsMaximum: Int = ReceiptCheck.secondsMaximum) throws(Problem) -> Int {
    guard let text = sent("wait") else { return ReceiptCheck.secondsUsual }
    guard let seconds = WholeNumber.parse(text, in: 0...secondsMaximum) else {
      throw Problem(
        .malformedRequest, "`wait` must be whole seconds from 0 to \(secondsMaximum).")
    }
    return seconds
  }
}
