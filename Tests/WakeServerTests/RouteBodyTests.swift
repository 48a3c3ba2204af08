import EndpointRegistry
import StrictJSON
import Testing
import WakeServer

/// A body that no route may take, and what it is told.
private struct HostileBody: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let octets: [UInt8]
  let code: String

  private init(_ name: String, _ text: String, _ code: String) {
    self.init(name, Array(text.utf8), code)
  }

  private init(_ name: String, _ octets: [UInt8], _ code: String) {
    (testDescription, self.octets, self.code) = (name, octets, code)
  }

  /// The same inside a member that no route knows, and as the member's name.
  private static func everywhere(_ name: String, _ text: String, _ code: String) -> [HostileBody] {
    [
      HostileBody("\(name) as a value", #"{"x":\#(text)}"#, code),
      HostileBody("\(name) deep inside", #"{"x":[{"y":[\#(text)]}]}"#, code),
      HostileBody("\(name) as the whole text", text, code),
    ]
  }

  /// What a string may not hold, as a name too.
  private static func strings(_ name: String, _ content: String, _ code: String) -> [HostileBody] {
    everywhere(name, "\"\(content)\"", code) + [HostileBody("\(name) in a name", #"{"\#(content)":1}"#, code)]
  }

  static let ambiguous: [HostileBody] =
    [
      HostileBody("one name twice", #"{"x":1,"x":2}"#, "duplicate-key"),
      HostileBody("one name twice, escaped", #"{"x":1,"\u0078":2}"#, "duplicate-key"),
      HostileBody("one name twice, escaped first", #"{"\u0078":1,"x":2}"#, "duplicate-key"),
      HostileBody("one name twice, both escaped", #"{"\u0078":1,"\u0078":1}"#, "duplicate-key"),
      HostileBody("one name twice, by a solidus", #"{"/":1,"\/":2}"#, "duplicate-key"),
      HostileBody("one name twice, by a pair", #"{"😀":1,"\ud83d\ude00":2}"#, "duplicate-key"),
      HostileBody("one name twice, by the case of digits", #"{"\u00e9":1,"\u00E9":2}"#, "duplicate-key"),
      HostileBody("a known name twice", #"{"kind":"problem","k\u0069nd":"backup"}"#, "duplicate-key"),
      HostileBody("the empty name twice", #"{"":1,"":2}"#, "duplicate-key"),
    ]
    + everywhere("an object with one name twice", #"{"a":1,"a":1}"#, "duplicate-key")
    + strings("an escaped NUL", #"\u0000"#, "malformed-json")
    + strings("NUL", "\0", "malformed-json")
    + strings("a lone high surrogate", #"\ud800"#, "malformed-json")
    + strings("a lone low surrogate", #"\udc00"#, "malformed-json")
    + strings("two high surrogates", #"\ud800\ud800"#, "malformed-json")
    + strings("surrogates the wrong way round", #"\udc00\ud800"#, "malformed-json")
    + strings("a high surrogate before a letter", #"\ud800\u0041"#, "malformed-json")
    + everywhere("a whole number beyond 64 bits", "9223372036854775808", "malformed-json")
    + everywhere("a negative one beyond 64 bits", "-9223372036854775809", "malformed-json")
    + everywhere("a number beyond a double", "1e400", "malformed-json")
    + [
      HostileBody(
        "a surrogate in octets", Array("{\"x\":\"".utf8) + [0xed, 0xa0, 0x80] + Array("\"}".utf8),
        "malformed-json"),
      HostileBody("NUL behind the text", Array("{}".utf8) + [0], "malformed-json"),
      HostileBody("nothing", "", "malformed-json"),
    ]

  /// The ways to nest, by what opens and closes a level.
  private static let forms: [(name: String, open: String, close: String)] = [
    ("arrays", "[", "]"), ("objects", #"{"a":"#, "}"), ("both in turn", #"[{"a":"#, "}]"),
    ("arrays with something before", "[1,", "]"), ("objects with something before", #"{"b":1,"a":"#, "}"),
  ]

  /// Every depth from 500 to 520 in every form, whole and cut off, by itself and in a member.
  static let nested: [HostileBody] = forms.flatMap { form in
    (500...520).flatMap { depth in
      let inside = String(repeating: form.open, count: depth)
      let whole = "\(inside)1\(String(repeating: form.close, count: depth))"
      return [
        HostileBody("\(depth) \(form.name)", whole, "too-deep"),
        HostileBody("\(depth) \(form.name), cut off", inside, "too-deep"),
        HostileBody("\(depth) \(form.name) in a member", #"{"kind":"problem","x":\#(whole)}"#, "too-deep"),
      ]
    }
  }
}

@Suite("What no route takes as a body")
struct RouteBodyTests {
  /// Routes that look at no body. Any other that is not for reading is tried.
  private static let withoutBody: Set<String> = [
    "POST /v1/stacks/{stack}/devices/{device}/test", "POST /v1/stacks/{stack}/devices/{device}/doctor",
    "POST /v1/admin/devices/{device}/test", "POST /v1/admin/devices/{device}/doctor", "POST /v1/admin/doctor",
    "POST /v1/admin/stacks/{stack}/pairings",
  ]

  private static func withBody(_ service: TestService, _ phone: Phone) async throws -> [RouteVisit] {
    let visits = try await RouteVisit.all(of: service, phone)
    let names = Set(visits.map(\.name))
    #expect(withoutBody.isSubset(of: names), "\(withoutBody.subtracting(names))")
    return visits.filter {
      ["POST", "PUT", "PATCH"].contains($0.route.method) && !withoutBody.contains($0.name)
    }
  }

  @Test("nesting from 500 to 520 is refused in every form on every route, and the service goes on")
  func nested() async throws { try await refuses(HostileBody.nested, .call) }

  @Test("what has two readings, or none, is refused in every spelling on every route")
  func ambiguous() async throws { try await refuses(HostileBody.ambiguous, .call) }

  @Test("through a socket too")
  func bySocket() async throws {
    // One of each form is enough here: the reader is the same.
    let nested = HostileBody.nested.filter { $0.testDescription.hasPrefix("512") }
    try await refuses(nested + HostileBody.ambiguous.filter { !$0.octets.isEmpty }, .socket)
  }

  private func refuses(_ bodies: [HostileBody], _ transport: Transport) async throws {
    try await TestService.with(transport, delivers: false, rates: .none) { service in
      let phone = try await service.phone()
      let visits = try await Self.withBody(service, phone)
      #expect(visits.count >= 6)
      for visit in visits {
        for body in bodies {
          let reply = try await service.send(
            visit.route.method, visit.path, token: visit.token,
            headers: [("Content-Type", MediaType.json)], body: body.octets, door: visit.door)
          #expect(
            reply.status == 400 && reply.code == body.code,
            "\(visit.name), \(body.testDescription): \(reply.status) \(reply.code ?? "")")
        }
      }
      // Nothing of it has left a trace.
      #expect(try await service.send("GET", "/healthz").status == 200)
      #expect(try await service.store.alerts(of: service.stack.id, after: nil, limit: 1).alerts.isEmpty)
      #expect(try await service.deviceCount() == 1)
    }
  }
}
