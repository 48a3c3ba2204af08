import Foundation
import Glibc

/// Two networks of the test's own with a cable between them, which lets a host vanish without a word.
struct NetworkPair: Sendable {
  static let ip = "/usr/sbin/ip"
  static let serverAddress = "10.231.77.1"
  private static let clientAddress = "10.231.77.2"

  struct Refused: Error {
    let said: String
  }

  private let name: String

  /// Why there are none here; nil where there are.
  static func missing() async -> String? {
    guard access(ip, X_OK) == 0 else { return "\(ip) is not here" }
    do {
      try await NetworkPair().remove()
      return nil
    } catch let error as Refused {
      return error.said
    } catch {
      return "\(error)"
    }
  }

  init() async throws {
    name = "wake-\(UUID().uuidString.prefix(8))"
    let (server, client) = ("\(name)-s", "\(name)-c")
    do {
      for command in [
        "netns add \(server)", "netns add \(client)",
        "link add cable netns \(server) type veth peer name cable netns \(client)",
        "-n \(server) address add \(Self.serverAddress)/30 dev cable",
        "-n \(client) address add \(Self.clientAddress)/30 dev cable",
        "-n \(server) link set cable up", "-n \(client) link set cable up",
      ] { try await Self.run(command) }
    } catch {
      await remove()
      throw error
    }
  }

  /// What runs a command at the server's end.
  var atServer: [String] { [Self.ip, "netns", "exec", "\(name)-s"] }
  /// What runs a command at the client's end.
  var atClient: [String] { [Self.ip, "netns", "exec", "\(name)-c"] }

  /// From now on nothing comes through, either way.
  func cut() async throws { try await Self.run("-n \(name)-c link set cable down") }

  /// Ends both; what was started in them has to be ended before.
  func remove() async {
    for end in ["s", "c"] { try? await Self.run("netns delete \(name)-\(end)") }
  }

  private static func run(_ command: String) async throws {
    let ended = try await Program(path: ip, arguments: command.split(separator: " ").map(String.init)).run()
    guard ended.exitCode == 0 else { throw Refused(said: "ip \(command): \(ended.errors)") }
  }
}
