import EndpointRegistry
import Synchronization
import Testing

@testable import WakeServer

@Suite("What came of wakes, on its way to the store")
struct ResultCollectorTests {
  /// A store that keeps each call until it is let go, and fails as it is told to.
  private final class SlowStore: Sendable {
    private struct State {
      var calls: [[AttemptID]] = []
      var isRunning = false
      var overlaps = 0
      var held: CheckedContinuation<Void, Never>?
      var isOpen = false
    }

    private let state = Mutex(State())
    private let failure: @Sendable ([AttemptID]) -> RegistryError?

    init(failing failure: @escaping @Sendable ([AttemptID]) -> RegistryError? = { _ in nil }) {
      self.failure = failure
    }

    var calls: [[AttemptID]] { state.withLock(\.calls) }
    var overlaps: Int { state.withLock(\.overlaps) }

    /// Lets the call go that is kept, and all later ones.
    func open() {
      let held = state.withLock { state in
        state.isOpen = true
        return state.held.take()
      }
      held?.resume()
    }

    func write(_ results: [AttemptResult]) async throws(RegistryError) {
      let ids = results.map(\.id)
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.isRunning { state.overlaps += 1 }
          state.isRunning = true
          state.calls.append(ids)
          if !state.isOpen { state.held = continuation }
          return state.isOpen
        }
        if goesOn { continuation.resume() }
      }
      state.withLock { $0.isRunning = false }
      if let failure = failure(ids) { throw failure }
    }
  }

  /// Completes the attempt 0, then `count` more while the store keeps that call; what each was told, by its id.
  private static func complete(
    _ count: Int, to store: SlowStore
  ) async -> [AttemptID: RegistryError?] {
    let collector = ResultCollector()
    return await withTaskGroup(of: (AttemptID, RegistryError?).self) { group in
      @Sendable func complete(_ id: AttemptID) async -> (AttemptID, RegistryError?) {
        do throws(RegistryError) {
          let result = AttemptResult(id: id, outcome: .accepted, milliseconds: 1)
          try await collector.complete(result) { results throws(RegistryError) in
            try await store.write(results)
          }
          return (id, nil)
        } catch {
          return (id, error)
        }
      }
      group.addTask { await complete(0) }
      while store.calls.isEmpty { await Task.yield() }
      for number in 0..<count {
        group.addTask { await complete(AttemptID(number + 1)) }
        // Each is in line before the next comes.
        while collector.waitingCount == number { await Task.yield() }
      }
      store.open()
      var told: [AttemptID: RegistryError?] = [:]
      for await (id, error) in group { told[id] = .some(error) }
      return told
    }
  }

  @Test("a result that comes alone is written at once, by itself")
  func alone() async {
    let store = SlowStore()
    #expect(await Self.complete(0, to: store) == [0: nil])
    #expect(store.calls == [[0]])
  }

  @Test(
    "what comes while a call is under way goes into the next ones, in order, each of a bounded size",
    arguments: [1, 2, 255, 256, 257, 600])
  func together(count: Int) async {
    let store = SlowStore()
    let told = await Self.complete(count, to: store)
    #expect(told.count == count + 1 && told.values.allSatisfy { $0 == nil })
    #expect(store.calls.first == [0])
    #expect(store.calls.flatMap(\.self) == Array(0...AttemptID(count)))
    #expect(store.calls.allSatisfy { $0.count <= ResultCollector.callMaximum })
    #expect(store.calls.count == 1 + (count + ResultCollector.callMaximum - 1) / ResultCollector.callMaximum)
    #expect(store.overlaps == 0)
  }

  @Test(
    "where the store is busy or full for long, each result of a call is told so, and the next call is made",
    arguments: [RegistryError.busy, .storageFull])
  func failing(error: RegistryError) async {
    let store = SlowStore { $0.contains(3) ? error : nil }
    let told = await Self.complete(300, to: store)
    #expect(told.count == 301)
    for (id, told) in told { #expect(told == ((1...256).contains(id) ? error : nil), "\(id)") }
    #expect(store.calls.map(\.count) == [1, 256, 44])
    #expect(store.overlaps == 0)
  }

  @Test("a result that cannot be kept takes no other with it")
  func faulty() async {
    let store = SlowStore { $0.contains(3) ? .damaged("a row") : nil }
    let told = await Self.complete(5, to: store)
    #expect(told == [0: nil, 1: nil, 2: nil, 3: .damaged("a row"), 4: nil, 5: nil])
    #expect(store.calls == [[0], [1, 2, 3, 4, 5], [1], [2], [3], [4], [5]])
    #expect(store.overlaps == 0)
  }
}
