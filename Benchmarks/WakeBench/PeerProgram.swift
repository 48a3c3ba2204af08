import CryptoPrimitives
import Foundation
import StrictJSON
import WebPushCrypto

/// `Benchmarks/Peers/peers.py` under the Python that `scripts/bench-peers` names.
struct PeerProgram {
  /// A sender that a user would pick instead.
  struct Peer {
    let name: String
    let encrypts, sends: Bool
  }

  /// What `scripts/bench-peers` sets.
  static let variable = "BENCH_PYTHON"
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Peers/peers.py").path

  private let python: String
  let messages: BareMessages
  private let caFile: URL

  init(messages: BareMessages, trusting caFile: URL) throws {
    guard let python = ProcessInfo.processInfo.environment[Self.variable] else {
      throw ServiceProcess.Failed(description: "\(Self.variable) is not set: make bench-peers sets it")
    }
    (self.python, self.messages, self.caFile) = (python, messages, caFile)
  }

  func peers() throws -> [Peer] {
    try run("list", for: "").array?.map { peer in
      Peer(
        name: peer["name"]?.string ?? "", encrypts: peer["encrypts"] == .bool(true),
        sends: peer["sends"] == .bool(true))
    } ?? []
  }

  /// Encryptions in a second of processor time; nil where the peer is not installed. What it made has to open.
  func encryptionsPerSecond(_ peer: Peer, seconds: Int) throws -> Double? {
    let said = try run("encrypt", peer.name, "\(seconds)", for: "https://127.0.0.1")
    guard let perSecond = try rate(said, of: peer) else { return nil }
    let body = said["body"]?.string.flatMap { Base64URL.decode($0) } ?? []
    guard try WebPushMessage.decrypt(body, with: messages.phone) == messages.plaintext else {
      throw ServiceProcess.Failed(description: "\(peer.name) made what does not open")
    }
    return perSecond
  }

  /// Sends messages, and adds that turn to `turns`; nothing where the peer is not installed.
  func send(
    _ peer: Peer, to origin: String, count: Int, connections: Int, addingTo turns: inout Turns
  ) throws {
    let said = try run("send", peer.name, "\(count)", "\(connections)", for: origin)
    guard let perSecond = try rate(said, of: peer) else { return }
    turns.add(
      count, .seconds(Double(count) / perSecond), processorSeconds: said["processor"]?.number ?? 0)
  }

  private func rate(_ said: JSONValue, of peer: Peer) throws -> Double? {
    if let missing = said["missing"]?.string {
      FileHandle.standardError.write(Data("*** \(peer.name) is LEFT OUT: \(missing) is not installed\n".utf8))
      return nil
    }
    guard let count = said["count"]?.integer, let seconds = said["seconds"]?.number else {
      throw ServiceProcess.Failed(description: "\(peer.name) did not measure")
    }
    return Double(count) / seconds
  }

  private func run(_ arguments: String..., for origin: String) throws -> JSONValue {
    let given: JSONValue = .object([
      "p256dh": .string(messages.phone.keys.p256dh), "auth": .string(messages.phone.keys.auth),
      "vapid": .string(Base64URL.encode(messages.sender.privateScalar.octets)),
      "public": .string(messages.sender.publicKey),
      "plaintext": .string(String(decoding: messages.plaintext, as: UTF8.self)),
      "origin": .string(origin), "ca": .string(caFile.path),
    ])
    let output = try LoadTool.run(
      [python, Self.script] + arguments, environment: ["SSL_CERT_FILE": caFile.path],
      input: given.serialized())
    return try StrictJSON.parse(Array(output.utf8))
  }
}
