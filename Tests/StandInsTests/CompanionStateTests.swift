import CryptoPrimitives
import Foundation
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("The file of a companion's state")
struct CompanionStateTests {
  private static func withFile(_ body: (CompanionStateFile) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "wake-state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(CompanionStateFile(path: folder.appendingPathComponent("state.json").path))
  }

  private static func pair(_ book: CompanionBook, with service: FakeService) async throws {
    _ = try await CompanionPairing(book, patience: .zero).pair(
      service.link(), receiver: .ownPushServer(listen: nil), label: "phone")
  }

  @Test("it is its owner's alone, and another process finds all that was kept")
  func roundTrip() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await Self.withFile { file in
      try await Self.pair(CompanionBook(file, creatingWith: .system), with: service)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let known = try file.load()
      #expect(known.stacks.map(\.stack) == [service.stack] && known.stacks.first?.isPaired == true)
      #expect(known.listen?.hasPrefix("127.0.0.1:") == true && known.stacks.first?.cursor == "epoch-0")
      #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
    }
  }

  @Test("a stack that is paired again keeps its place, its cursor, and the companion its client")
  func again() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await Self.withFile { file in
      let book = try CompanionBook(file, creatingWith: .system)
      try await Self.pair(book, with: service)
      let first = try file.load()
      try await Self.pair(book, with: service)
      let second = try file.load()
      #expect(second.stacks.count == 1 && second.listen == first.listen)
      let bodies = service.state.changes
      #expect(bodies.count == 2 && bodies[0]["client"] == bodies[1]["client"])
      #expect(bodies[0]["endpoint"] != bodies[1]["endpoint"])
    }
  }

  @Test("two stacks are not told the same client")
  func clients() async throws {
    let services = [try FakeService(stack: "stack-of-home"), try FakeService(stack: "stack-of-cabin")]
    defer { for service in services { service.server.stop() } }
    try await Self.withFile { file in
      let book = try CompanionBook(file, creatingWith: .system)
      for service in services { try await Self.pair(book, with: service) }
      let clients = services.map { $0.state.changes.first?["client"]?.string }
      #expect(clients[0]?.utf8.count == 22 && clients[1]?.utf8.count == 22 && clients[0] != clients[1])
    }
  }

  @Test("two companions do not work with one file at once; one that only looks may")
  func turn() async throws {
    try await Self.withFile { file in
      let book = try CompanionBook(file, creatingWith: .system)
      #expect(throws: CompanionError.fileInUse(path: file.path)) {
        _ = try CompanionBook(file, creatingWith: .system)
      }
      withExtendedLifetime(book) {}
    }
  }

  @Test("what is missing, damaged or open to others is named, and left as it is")
  func refused() async throws {
    try await Self.withFile { file in
      #expect(throws: CompanionError.fileMissing(path: file.path)) { _ = try file.load() }
      #expect(throws: CompanionError.fileMissing(path: file.path)) { _ = try CompanionBook(file) }
      #expect(!FileManager.default.fileExists(atPath: file.path + ".lock"))
      for text in [
        "", "{}", "{\"version\":2,\"client\":\"x\",\"stacks\":[]}",
        "{\"version\":1,\"client\":\"x\",\"stacks\":[{}]}",
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(throws: CompanionError.fileDamaged(path: file.path)) { _ = try file.load() }
        #expect(throws: CompanionError.fileDamaged(path: file.path)) {
          _ = try CompanionBook(file, creatingWith: .system)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data(text.utf8))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      #expect {
        _ = try file.load()
      } throws: {
        ($0 as? CompanionError)?.description.contains("chmod 600") == true
      }
    }
  }

  @Test("what a killed process left beside the file is in nobody's way")
  func leftOver() async throws {
    let service = try FakeService()
    defer { service.server.stop() }
    try await Self.withFile { file in
      try Data("half".utf8).write(to: URL(fileURLWithPath: file.path + ".new"))
      try await Self.pair(CompanionBook(file, creatingWith: .system), with: service)
      #expect(try file.load().stacks.count == 1)
    }
  }
}
