import Foundation
import HTTPClient
import KindCatalogue
import StrictJSON
import WakeServer

/// A service that merges nothing, so that each hook call wakes every device of its stack, and that trusts one sink.
final class WokenService {
  let process: ServiceProcess
  private var hooks: [(stack: String, token: String)] = []

  init(pushAllow: String, trusting caFile: URL? = nil) throws {
    var settings = ["WAKE_WINDOW": "0"]
    settings["WAKE_PUSH_CA_FILE"] = caFile?.path
    process = try ServiceProcess(pushAllow: pushAllow, settings: settings)
  }

  /// Adds stacks; their ids.
  func addStacks(_ count: Int) throws -> [String] {
    for number in 0..<count {
      let stack = try process.command("stack", "add", "bench-\(number)")
      hooks.append((stack["stack"]?.string ?? "", stack["hookToken"]?.string ?? ""))
    }
    return hooks.map(\.stack)
  }

  /// The hook call of a stack, octet for octet.
  func hookCall(_ stack: Int) -> [UInt8] {
    let body = JSONValue.object(["kind": .string(Kind.allCases[0].name)]).serialized()
    let head =
      "POST /v1/stacks/\(hooks[stack].stack)/alerts HTTP/1.1\r\nHost: \(process.address)\r\n"
      + "Authorization: Bearer \(hooks[stack].token)\r\nContent-Type: \(MediaType.json)\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
  }

  /// Raises an alert on a stack.
  func raise(_ stack: Int) async throws {
    let reply = try await HTTPClient().send(
      "POST", "http://\(process.address)/v1/stacks/\(hooks[stack].stack)/alerts",
      headers: [("Authorization", "Bearer \(hooks[stack].token)"), ("Content-Type", MediaType.json)],
      body: JSONValue.object(["kind": .string(Kind.allCases[0].name)]).serialized())
    guard reply.status == 202 else {
      throw ServiceProcess.Failed(description: "the hook answered \(reply.status)")
    }
  }
}
