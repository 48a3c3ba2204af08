import EndpointRegistry
import Foundation
import HTTPListener
import PushDelivery
import StandIns
import TestSupport
import Testing
import WakeServer

/// One broken link, what is at fault then, and what is to be typed.
struct BrokenLink: Sendable, CustomTestStringConvertible {
  /// What a case is set up with: push servers that end with it.
  final class Bench {
    private var ending: [() async -> Void] = []

    /// A push server that plays somebody; its origin.
    func plays(_ personality: PushServerPersonality, clock: WallClock = .system) throws -> String {
      let server = try StandInPushServer(rules: PushServerRules(as: personality), clock: clock)
      ending.append { await server.stop() }
      return server.origin
    }

    /// A push server that does a thing that no HTTP library commits.
    func hostile() throws -> String {
      let server = try HostilePushServer(rules: PushServerRules(as: .hostile))
      ending.append { await server.stop() }
      return server.origin
    }

    /// One with a certificate of that kind, for `localhost`.
    func secure(_ kind: TestAuthority.Kind) throws -> String {
      let server = try #require(TestAuthority.shared).server(kind) { _ in .status(201) }
      ending.append { server.stop() }
      return "https://localhost:\(server.port)"
    }

    /// A port of plain octets, which answers what comes, or nothing.
    func raw(_ answer: RawAnswer) throws -> Int {
      let server = try RawServer { _ in answer }
      ending.append { server.stop() }
      return server.port
    }

    /// A port that nobody listens on.
    func deadPort() throws -> Int {
      let server = try RawServer { _ in .status(201) }
      server.stop()
      return server.port
    }

    /// A port that swallows whoever connects.
    func silentPort() throws -> Int {
      let dropper = try SYNDropper()
      ending.append { withExtendedLifetime(dropper) {} }
      return dropper.port
    }

    func end() async { for end in ending { await end() } }
  }

  typealias Resolving = @Sendable (String) throws(NameResolutionError) -> [IPAddress]

  let testDescription: String
  /// The link at fault, as it is on the wire.
  let link: String
  /// A part of the fix.
  let fix: String
  /// A part of what was seen.
  var seen = ""
  var resolver: Resolving = SystemResolver.resolve
  var trustsAuthority = false
  var examining: @Sendable (inout DoctorSettings, Bench) throws -> Void = { _, _ in }
  /// How far our clock is ahead.
  var clockAhead: Int64 = 0
  /// Where the service is taken to listen itself.
  var ownPort: @Sendable (Bench) throws -> Int? = { _ in nil }
  /// How often the doctor is asked before it counts.
  var asksBefore = 0
  /// The endpoint; nil is the healthy push server of the service.
  var endpoint: (@Sendable (Bench) throws -> String)?
  /// Whether the phone registers without a subscription.
  var hasNoPush = false
  /// Whether the phone hands its receipt back.
  var answers = true
  /// Blocks and origins that are allowed.
  var allow = "127.0.0.0/8"

  init(_ name: String, _ link: String, _ fix: String, _ change: (inout BrokenLink) -> Void) {
    (testDescription, self.link, self.fix) = (name, link, fix)
    change(&self)
  }

  /// One that a push server's answer shows.
  static func answered(
    _ name: String, _ fix: String, _ personality: PushServerPersonality, _ path: String,
    link: String = "answer",
    asksBefore: Int = 0
  ) -> BrokenLink {
    BrokenLink(name, link, fix) {
      $0.endpoint = { try $0.plays(personality) + path }
      $0.asksBefore = asksBefore
    }
  }

  /// One with TLS at the push server.
  static func secured(_ name: String, _ kind: TestAuthority.Kind, _ fix: String, trusts: Bool = true)
    -> BrokenLink
  {
    BrokenLink(name, "tls", fix) {
      $0.endpoint = { try $0.secure(kind) + "/up/canary" }
      $0.trustsAuthority = trusts
    }
  }

  /// One of the public URL.
  static func publicURL(
    _ name: String, at link: String = "public-url", _ fix: String, seen: String = "",
    _ change: @escaping @Sendable (inout DoctorSettings) -> Void = { _ in },
    url: @escaping @Sendable (Bench) throws -> String
  ) -> BrokenLink {
    BrokenLink(name, link, fix) {
      $0.seen = seen
      $0.resolver = { name throws(NameResolutionError) in
        guard name == "wake.example" else { return try SystemResolver.resolve(name) }
        return [IPAddress(parsing: "127.0.0.1")].compactMap { $0 }
      }
      $0.examining = { settings, bench in
        let url = try url(bench)
        settings.publicURL = { url }
        settings.phoneCAFile = TestAuthority.shared?.caFile
        change(&settings)
      }
    }
  }
}
