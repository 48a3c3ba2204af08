import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Server and command line at the same time")
struct ContentionTests {
  /// Another program that holds the store for a while, on a thread of its own.
  private static func hold(_ temporary: TemporaryStore, milliseconds: Int) async throws {
    let path = temporary.store.path
    try await withCheckedThrowingContinuation { (held: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        do {
          let database = try Database(path: path, mode: .readWrite, busyTimeoutMilliseconds: 5_000)
          try database.run("BEGIN IMMEDIATE")
          held.resume()
          Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
          try database.run("COMMIT")
        } catch {
          held.resume(throwing: error)
        }
      }
    }
  }

  @Test(
    "50 registrations and 20 revocations by another process wait for a lock of 2 s: none fails, no row is lost"
  )
  func waiting() async throws {
    let temporary = try TemporaryStore()
    let server = temporary.store
    let commandLine = try temporary.another()
    let stack = try await temporary.stack().stack.id
    var old: [RegistrationResult] = []
    for number in 0..<20 {
      old.append(try await temporary.register(stack, subscription: .at("old-\(number)")))
    }
    var registrations: [Registration] = []
    for number in 0..<50 {
      registrations.append(
        Registration(
          pairing: try await temporary.code(for: stack), client: .minted(.system),
          subscription: try .at("new-\(number)")))
    }

    try await Self.hold(temporary, milliseconds: 2_000)
    let registered = try await withThrowingTaskGroup(of: DeviceID?.self) { group in
      for registration in registrations {
        group.addTask { try await server.register(registration, at: TemporaryStore.now).device.id }
      }
      for result in old {
        group.addTask {
          try await commandLine.removeDevice(result.device.id, at: 0)
          return nil
        }
      }
      // Reads are not held up by anybody.
      #expect(try await server.devices(stack: stack, after: nil, limit: 100).count == 20)
      return try await group.reduce(into: [DeviceID]()) { ids, id in if let id { ids.append(id) } }
    }
    #expect(registered.count == 50)
    #expect(try await server.devices(stack: stack, after: nil, limit: 100).map(\.id) == registered.sorted())
    for result in old {
      #expect(try await server.credential(for: result.token, at: 0) == .revoked(result.device.id, stack))
    }
  }

  @Test(
    "a lock that is held for longer than the busy timeout is told as busy, and nothing stays of the change")
  func busy() async throws {
    let temporary = try TemporaryStore(options: StoreOptions(busyTimeoutMilliseconds: 100))
    let stack = try await temporary.stack().stack.id
    let holder = try temporary.database()
    try holder.run("BEGIN IMMEDIATE")
    await #expect(throws: RegistryError.busy) {
      try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    }
    try await temporary.store.check()
    #expect(try await temporary.store.stack(stack)?.newest.number == 0)
    // A store that is up to date opens meanwhile, as the command line does.
    let another = try temporary.another(options: StoreOptions(busyTimeoutMilliseconds: 100))
    #expect(try await another.stacks().count == 1)
    try holder.run("COMMIT")
    #expect(try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0).id.number == 1)
    #expect(try await another.stack(stack)?.newest.number == 1)
  }

  @Test("what one process changes, the other one sees with its next read")
  func fresh() async throws {
    let temporary = try TemporaryStore()
    let server = temporary.store
    let commandLine = try temporary.another()
    let added = try await commandLine.addStack(
      id: nil, label: "home", kinds: [], hookTokenName: "core", at: 0)
    let stack = added.stack.id
    #expect(try await server.credential(for: added.hookToken, at: 0) == .hook(stack))
    for number in 0..<20 {
      let registered = try await temporary.register(stack, subscription: .at("\(number)"))
      let device = registered.device.id
      #expect(try await commandLine.device(device) == registered.device)
      #expect(try await server.credential(for: registered.token, at: 0) == .device(device, stack))
      try await commandLine.removeDevice(device, at: 0)
      #expect(try await server.credential(for: registered.token, at: 0) == .revoked(device, stack))
      #expect(try await server.wakeTarget(device)?.device == nil)
    }
    _ = try await commandLine.setKinds([.backup], of: stack)
    #expect(try await server.stack(stack)?.kinds == [.backup])
    try await commandLine.removeStack(stack)
    #expect(try await server.credential(for: added.hookToken, at: 0) == nil)
  }

  @Test("a server that writes without a pause does not starve the command line")
  func fairness() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let commandLine = try temporary.another()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask {
          while !Task.isCancelled {
            _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
          }
        }
      }
      for number in 0..<20 {
        let kinds = number.isMultiple(of: 2) ? [Kind.problem] : [.problem, .backup]
        #expect(try await commandLine.setKinds(kinds, of: stack).kinds == kinds)
      }
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
