import CryptoPrimitives
import EndpointRegistry
import StandIns
import StrictJSON
import Testing

/// One fault in an otherwise good registration, and what it is answered with.
struct MalformedRegistration: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: String
  let field: String
  let change: @Sendable (JSONValue) -> JSONValue

  private init(
    _ name: String, _ code: String, _ field: String, _ change: @escaping @Sendable (JSONValue) -> JSONValue
  ) {
    (testDescription, self.code, self.field, self.change) = (name, code, field, change)
  }

  static let all: [MalformedRegistration] =
    key("p256dh", "B0") + key("auth", "A0") + [
      MalformedRegistration("no client", "missing-field", "/client") { $0.without("client") },
      MalformedRegistration("client null", "missing-field", "/client") { $0.with("client", .null) },
      MalformedRegistration("client a number", "invalid-field", "/client") { $0.with("client", 1) },
      MalformedRegistration("client short", "invalid-field", "/client") { $0.with("client", "abc") },
      MalformedRegistration("client with stray bits", "invalid-field", "/client") {
        $0.with("client", .string(String(repeating: "-", count: 22)))
      },
      MalformedRegistration("no keys", "missing-field", "/keys") { $0.without("keys") },
      MalformedRegistration("keys null", "missing-field", "/keys") { $0.with("keys", .null) },
      MalformedRegistration("keys a list", "invalid-field", "/keys") { $0.with("keys", []) },
      MalformedRegistration("no endpoint", "missing-field", "/endpoint") { $0.without("endpoint") },
      MalformedRegistration("endpoint a number", "invalid-field", "/endpoint") { $0.with("endpoint", 1) },
      MalformedRegistration("endpoint empty", "endpoint-refused", "/endpoint") { $0.with("endpoint", "") },
      MalformedRegistration("endpoint of 1001 octets", "endpoint-refused", "/endpoint") {
        $0.with("endpoint", .string("https://push.example.net/" + String(repeating: "a", count: 976)))
      },
      MalformedRegistration("label a number", "invalid-field", "/label") { $0.with("label", 1) },
      MalformedRegistration("label for a terminal", "invalid-field", "/label") {
        $0.with("label", "\u{1b}[2Jevil\nsecond line")
      },
      MalformedRegistration("label too long", "invalid-field", "/label") {
        $0.with("label", .string(String(repeating: "l", count: 257)))
      },
      MalformedRegistration("muted a word", "invalid-field", "/muted") { $0.with("muted", "backup") },
      MalformedRegistration("an unknown kind muted", "kind-unknown", "/muted/1") {
        $0.with("muted", ["backup", "Backup"])
      },
      MalformedRegistration("temporary a word", "invalid-field", "/temporary") {
        $0.with("temporary", "yes")
      },
    ]

  private static func key(_ name: String, _ short: String) -> [MalformedRegistration] {
    let values: [(String, JSONValue)] = [
      ("abc", "abc"), ("empty", ""), ("null", .null), ("a number", 7), ("a list", []),
      ("10 kB of A", .string(String(repeating: "A", count: 10_240))),
      ("15 octets", .string(Base64URL.encode([UInt8](repeating: 4, count: 15)))),
      ("17 octets", .string(Base64URL.encode([UInt8](repeating: 4, count: 17)))),
      ("64 octets", .string(Base64URL.encode([UInt8](repeating: 4, count: 64)))),
      ("66 octets", .string(Base64URL.encode([UInt8](repeating: 4, count: 66)))),
      ("inner =", .string(short + "==" + String(repeating: "A", count: 20))),
      ("an inner space", .string(short + " " + String(repeating: "A", count: 19))),
    ]
    return values.map { label, value in
      MalformedRegistration("\(name) \(label)", "invalid-field", "/keys/\(name)") {
        $0.with("keys", ($0["keys"] ?? .null).with(name, value))
      }
    } + [
      MalformedRegistration("no \(name)", "missing-field", "/keys/\(name)") {
        $0.with("keys", ($0["keys"] ?? .null).without(name))
      }
    ]
  }
}

extension JSONValue {
  /// An object with one member changed.
  func with(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var object) = self else { return self }
    object[name] = value
    return .object(object)
  }

  /// An object without one member.
  func without(_ name: String) -> JSONValue {
    guard case .object(var object) = self else { return self }
    object[name] = nil
    return .object(object)
  }
}

/// How base64 text may be written.
enum Spelling: String, CaseIterable, CustomTestStringConvertible {
  case urlUnpadded, urlPadded, standardPadded, standardUnpadded

  var testDescription: String { rawValue }

  func keys(of companion: Companion) -> JSONValue {
    var keys = companion.keys
    for name in ["p256dh", "auth"] {
      if let text = keys[name]?.string { keys = keys.with(name, .string(write(text))) }
    }
    return keys
  }

  private func write(_ text: String) -> String {
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return switch self {
    case .urlUnpadded: text
    case .urlPadded: text + padding
    case .standardPadded: standard + padding
    case .standardUnpadded: standard
    }
  }
}

extension Companion {
  /// `auth` as it is registered.
  var auth: String { keys["auth"]?.string ?? "" }

  /// A companion whose p256dh and auth hold both characters in which the two alphabets differ.
  static func withBothSpecialCharacters() throws -> Companion {
    while true {
      let companion = try Companion()
      let texts = ["p256dh", "auth"].compactMap { companion.keys[$0]?.string }
      if texts.allSatisfy({ $0.contains("-") && $0.contains("_") }) { return companion }
    }
  }
}

extension TestService {
  func deviceCount() async throws -> Int {
    try await store.devices(stack: nil, after: nil, limit: 1_000).count
  }
}
