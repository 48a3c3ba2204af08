package import CryptoPrimitives
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
  private let rates: RateGate
  private let clock: WallClock
  private let random: RandomOctets
  private let log: Log
  private let metrics: ServiceMetrics

  package init(
    store: any RegistryStore, policy: AddressPolicy, pipeline: WakePipeline, feeds: AlertFeeds,
    proxies: TrustedProxies = TrustedProxies(), rates: Rates = Rates(), pairing: PairingAddress = .unknown,
    doctor settings: DoctorSettings = DoctorSettings(),
    clock: WallClock, steady: SteadyTime, random: RandomOctets = .system, log: Log,
    metrics: ServiceMetrics = ServiceMetrics()
  ) {
    let hook = SendHook(store: store, nudge: pipeline, feeds: feeds, metrics: metrics)
    let doctor = Doctor(
      store: store, pipeline: pipeline, policy: policy, clock: clock, settings: settings,
      visits: DoctorVisits())
    router = Router(
      HealthRoutes(store: store, visits: doctor.visits).routes
        + StackRoutes(store: store).routes
        + DeviceRoutes(store: store, policy: policy, nudge: pipeline, metrics: metrics).routes
        + AlertRoutes(store: store, hook: hook).routes
        + EventRoutes(store: store, feeds: feeds).routes
        + AdminRoutes(store: store, hook: hook, pipeline: pipeline).routes
        + PairingRoutes(store: store, address: pairing).routes
        + DoctorRoutes(doctor: doctor).routes
        + DescriptionRoutes.routes)
    authorization = Authorization(store: store)
    receipts = ReceiptField(store: store, metrics: metrics)
    self.proxies = proxies
    failures = FailedAuthentications(log: log, steady: steady)
    self.rates = RateGate(rates, steady: steady)
    self.clock = clock
    self.random = random
    self.log = log
    self.metrics = metrics
  }

  /// Every route, for the description of the API and for tests that walk the table.
  package var routes: [Route] { router.routes }

  /// Answers a request that came through `door`. Never fails: what goes wrong is an answer too.
  package func respond(to request: HTTPRequest, through door: Door) async -> HTTPResponse {
    let start = ContinuousClock.now
    let id = RequestID(of: request, random)
    let match = router.match(method: request.method, path: request.path, door: door)
    let subject = RequestCounts.Subject(match)
    let log = log.about([RequestID.logField: id.text])
    var response: HTTPResponse
    var problem: ProblemCode?
    do throws(Problem) {
      response = try await answer(request, match, through: door, id, log)
    } catch {
      let error = error.code == .unauthenticated ? failure(error, of: request, id) : error
      if [.internalError, .storageFull, .unavailable].contains(error.code), !error.isTurnedAway {
        let cause = error.cause ?? error.detail
        log.error("\(subject.text) was answered \(error.status) \(error.code.rawValue): \(cause)")
      }
      problem = error.code
      response = error.response
    }
    response.headers.append((RequestID.field, id.text))
    let seconds = start.duration(to: .now) / .seconds(1)
    metrics.answered(subject, through: door, status: response.status, problem: problem, seconds: seconds)
    log.debug("\(subject.text) was answered \(response.status)", ["listener": door.listener])
    return response
  }

  /// The answer to what the listener did not let through, under a name of ours: the request's own was not read.
  package func refuse(_ refusal: GateRefusal, through door: Door) -> HTTPResponse {
    let problem = Problem(refusal)
    let id = RequestID(minted: random)
    metrics.answered(.none, through: door, status: problem.status, problem: problem.code, seconds: nil)
    log.debug(
      "a request was refused: \(problem.status) \(problem.code.rawValue)",
      [RequestID.logField: id.text, "listener": door.listener])
    var response = problem.response
    response.headers.append((RequestID.field, id.text))
    return response
  }

  /// What a request without a valid token is answered: that, or that too many came from its address.
  private func failure(_ problem: Problem, of request: HTTPRequest, _ id: RequestID) -> Problem {
    guard let seconds = failures.note(client: proxies.client(of: request), request: id) else {
      return problem
    }
    return .rateLimited(
      "Too many requests without a valid token came from this address. Wait for the seconds in Retry-After.",
      seconds: seconds)
  }

  private func answer(
    _ request: HTTPRequest, _ match: Router.Match, through door: Door, _ id: RequestID, _ log: Log
  ) async throws(Problem) -> HTTPResponse {
    switch match {
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
      try rates.pass(caller, to: route)
      await receipts.take(from: request, of: caller, at: at, log: log)
      let context = RouteContext(
        request: request, parameters: parameters, caller: caller,
        client: proxies.client(of: request), id: id, at: at)
      do throws(Problem) { return try await route.handler(context) } catch {
        if error.isTurnedAway { rates.giveBack(to: caller, of: route) }
        throw error
      }
    }
  }
}
