import EndpointRegistry
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Where an endpoint may lead, from registration to row (B21)")
struct EndpointPolicyTests {
  @Test(
    "what the text alone forbids is endpoint-refused, and all else is taken without asking any name server")
  func registration() async throws {
    let vectors = SSRFVectors.all
    #expect(vectors.urls.count >= 122 && vectors.addresses.count >= 116)
    let literals = vectors.addresses.map { row in
      let host = row.address.contains(":") ? "[\(row.address)]" : row.address
      return (url: "https://\(host)/x", isTaken: row.expect == "allow")
    }
    let rows = vectors.urls.map { (url: $0.url, isTaken: $0.passesByText) } + literals
    // Nothing is sent, and no name is resolved.
    try await TestService.with(
      .socket, delivers: false,
      sending: {
        $0.resolver = { name in
          Issue.record("\(name) was resolved")
          return []
        }
      }
    ) { service in
      let companion = try Companion()
      for row in rows {
        var body = companion.registration(endpoint: row.url)
        if case .object(var object) = body {
          object["client"] = .string(try Companion().client)
          body = .object(object)
        }
        let reply = try await service.register(body)
        if row.isTaken {
          // 200: another row of the table has the same endpoint.
          #expect([200, 201].contains(reply.status), "\(row.url): \(reply.status)")
        } else if row.url.utf8.contains(0) {
          // No string of a request may have it, whatever it is for.
          #expect(reply.status == 400, "\(row.url)")
        } else {
          #expect(reply.status == 422 && reply.code == "endpoint-refused", "\(row.url): \(reply.status)")
          #expect(reply.json["field"] == "/endpoint", "\(row.url)")
          #expect(try await service.store.devices(holding: row.url).isEmpty, "\(row.url)")
        }
      }
    }
  }

  @Test(
    "what its addresses forbid is blocked when a wake is due, with no connection; a companion is told nothing of it"
  )
  func resolution() async throws {
    let listener = try RawServer(everywhere: true) { _ in .status(201) }
    defer { listener.stop() }
    let own = try #require(IPAddress(parsing: "93.184.215.200"))
    let port = listener.port
    var names: [String: [IPAddress]] = [:]
    var endpoints: [String] = []
    for row in SSRFVectors.all.urls where row.stage == "connect" {
      let host = try #require(row.url.dropFirst("https://".count).split(separator: "/").first)
      names[String(host)] = try (row.resolves?.first ?? []).map {
        $0 == "SELF" ? own : try #require(IPAddress(parsing: $0))
      }
      endpoints.append(row.url)
    }
    for (index, row) in SSRFVectors.all.addresses.enumerated() where row.expect == "deny" {
      guard let address = IPAddress(parsing: row.address) else { continue }
      names["denied\(index).example"] = [address]
      endpoints.append("https://denied\(index).example:\(port)/x")
    }
    #expect(endpoints.count >= 90)
    let resolved = names
    try await TestService.with(
      own: OwnListeners([.init(host: "::", port: 443)]) { $0 == own },
      sending: { $0.resolver = { resolved[$0] ?? [] } }
    ) { service in
      var phones: [Phone] = []
      for endpoint in endpoints {
        let companion = try Companion()
        phones.append(
          try service.phone(companion, try await service.register(companion.registration(endpoint: endpoint)))
        )
      }
      await service.settle()
      let attempts = try await service.store.attempts(AttemptFilter(), before: nil, limit: 1_000)
      #expect(attempts.count == endpoints.count)
      #expect(attempts.allSatisfy { $0.outcome == .blocked && $0.status == nil && $0.reason != nil })
      for phone in phones {
        let reply = try await service.send("GET", service.path(of: phone), token: phone.token)
        #expect(reply.json["state"] == "undelivered")
        #expect(!String(decoding: reply.body, as: UTF8.self).contains("WAKE_PUSH_ALLOW"))
      }
    }
    #expect(listener.accepted == 0)
  }
}
