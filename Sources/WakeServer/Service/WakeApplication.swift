package import EndpointRegistry
package import HTTPListener
internal import KindCatalogue
package import PushDelivery
internal import StrictJSON

/// The service without its sockets: a request in, an answer out.
package struct WakeApplication: Sendable {
  private let router: Router
  private let authorization: Authorization
  private let receipts: ReceiptField
  private let proxies: TrustedProxies
  private let failures: FailedAuthentications
  private let clock: WallClock
  private let log: Log

  package init(
    store: any RegistryStore, policy: AddressPolicy, pipeline: WakePipeline, feeds: AlertFeeds,
    proxies: TrustedProxies = TrustedProxies(), doctor settings: DoctorSettings = DoctorSettings(),
    clock: WallClock, log: Log
  ) {
    let hook = SendHook(store: store, nudge: pipeline, feeds: feeds)
    let doctor = Doctor(
      store: store, pipeline: pipeline, policy: policy, clock: clock, settings: settings,
      visits: DoctorVisits())
    router = Router(
      HealthRoutes(store: store, visits: doctor.visits).routes
        + StackRoutes(store: store).routes
        + DeviceRoutes(store: store, policy: policy, nudge: pipeline).routes
        + AlertRoutes(store: store, hook: hook).routes
        + EventRoutes(store: store, feeds: feeds).routes
        + AdminRoutes(store: store, hook: hook, pipeline: pipeline).routes
        + DoctorRoutes(doctor: doctor).routes)
    authorization = Authorization(store: store)
    receipts = ReceiptField(store: store, log: log)
    self.proxies = proxies
    failures = FailedAuthentications(log: log)
    self.clock = clock
    self.log = log
  }

  /// Every route, for the description of the API and for tests that walk the table.
  package var routes: [Route] { router.routes }

  /// Answers a request that came through `door`. Never fails: what goes wrong is an answer too.
  package func respond(to request: HTTPRequest, through door: Door) async -> HTTPResponse {
    do throws(Problem) {
      return try await answer(request, through: door)
    } catch {
      if error.code == .unauthenticated {
        failures.note(client: proxies.client(of: request), at: clock.now())
      }
      if error.code == .internalError || error.code == .storageFull || error.code == .unavailable {
        let cause = error.cause ?? error.detail
        log.error("\(request.method) was answered \(error.code.status) \(error.code.rawValue): \(cause)")
      }
      return error.response
    }
  }

  private func answer(_ request: HTTPRequest, through door: Door) async throws(Problem) -> HTTPResponse {
    switch router.match(method: request.method, path: request.path, door: door) {
    case .nothing:
      throw Problem(.notFound, "There is no such path here.")
    case .otherMethods(let methods):
      let allow = (name: "Allow", value: methods.joined(separator: ", "))
      if request.method == "OPTIONS" { return HTTPResponse(status: 204, headers: [allow], body: []) }
      var problem = Problem(.methodNotAllowed, "Use one of these methods: \(allow.value).")
      problem.headers = [allow]
      throw problem
    case .route(let route, let parameters):
      let at = clock.now()
      let caller = try await authorization.caller(
        of: route, parameters: parameters, request: request, through: door, at: at)
      await receipts.take(from: request, of: caller, at: at)
      return try await route.handler(
        RouteContext(
          request: request, parameters: parameters, caller: caller,
          client: proxies.client(of: request), at: at))
    }
  }
}
