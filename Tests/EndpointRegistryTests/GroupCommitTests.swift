import CryptoPrimitives
import Glibc
import Synchronization
import Testing

@testable import EndpointRegistry

@Suite("Group commit")
struct GroupCommitTests {
  private static func insert(
    _ name: String, then failure: RegistryError? = nil
  ) -> @Sendable (Session) throws(RegistryError) -> Void {
    { session throws(RegistryError) in
      try session.database.run(
        "INSERT INTO admin_tokens (digest, name, created_at) VALUES (?, ?, 0)", .octets(Array(name.utf8)),
        .text(name))
      if let failure { throw failure }
    }
  }

  private static func names(_ temporary: TemporaryStore) throws -> [String] {
    try temporary.database().all("SELECT name FROM admin_tokens ORDER BY name") { $0.text(0) }
  }

  @Test("changes that wait share one transaction, in the order in which they came")
  func together() throws {
    let temporary = try TemporaryStore()
    let outside = try temporary.database()
    try outside.execute("PRAGMA query_only = ON")
    // A change sees what those before it did, and nobody else does yet.
    let look: @Sendable (Session) throws(RegistryError) -> Void = { session throws(RegistryError) in
      #expect(try session.database.integer("SELECT count(*) FROM admin_tokens") == 2)
      let other = try Database(path: session.database.path, mode: .readWrite, busyTimeoutMilliseconds: 0)
      #expect(try other.integer("SELECT count(*) FROM admin_tokens") == 0)
    }
    let answers = try Batch(temporary).run([Self.insert("a"), Self.insert("b"), look, Self.insert("c")])
    #expect(answers == [[nil], [nil], [nil], [nil]])
    #expect(try Self.names(temporary) == ["a", "b", "c"])
  }

  @Test("a change that fails is undone alone, wherever it stands", arguments: 0..<3)
  func neighbours(failing: Int) throws {
    let temporary = try TemporaryStore()
    var changes = [Self.insert("a"), Self.insert("b"), Self.insert("c")]
    changes[failing] = Self.insert("half", then: .pairingUsed)
    let answers = try Batch(temporary).run(changes)
    for (index, answer) in answers.enumerated() {
      #expect(answer == [index == failing ? .pairingUsed : nil])
    }
    #expect(try Self.names(temporary).count == 2)
    #expect(try !Self.names(temporary).contains("half"))
  }

  @Test("a statement that fails is its change's own failure too")
  func constraint() throws {
    let temporary = try TemporaryStore()
    let answers = try Batch(temporary).run([Self.insert("a"), Self.insert("a"), Self.insert("b")])
    #expect(answers[0] == [nil] && answers[2] == [nil])
    guard case .sqlite(let code, _) = try #require(answers[1].first) else {
      Issue.record("\(answers[1])")
      return
    }
    #expect(code & 0xFF == 19)
    #expect(try Self.names(temporary) == ["a", "b"])
  }

  @Test("where SQLite gives up the whole transaction, every change of it fails, and the next batch works")
  func lostTransaction() throws {
    let temporary = try TemporaryStore()
    let batch = try Batch(temporary)
    let lose: @Sendable (Session) throws(RegistryError) -> Void = { session throws(RegistryError) in
      try session.database.run("ROLLBACK")
      throw .storageFull
    }
    let answers = try batch.run([Self.insert("a"), Self.insert("b"), lose, Self.insert("c")])
    #expect(answers == Array(repeating: [.storageFull], count: 4))
    #expect(try Self.names(temporary) == [])
    #expect(try batch.run([Self.insert("a")]) == [[nil]])
    #expect(try Self.names(temporary) == ["a"])
  }

  @Test("a commit that fails fails every change, and the next batch works")
  func failedCommit() throws {
    let temporary = try TemporaryStore()
    let batch = try Batch(temporary)
    let orphan: @Sendable (Session) throws(RegistryError) -> Void = { session throws(RegistryError) in
      try session.database.run("PRAGMA defer_foreign_keys = ON")
      try session.database.run("INSERT INTO audience (stack, muted, devices) VALUES (999, '', 0)")
    }
    let answers = try batch.run([Self.insert("a"), orphan, Self.insert("b")])
    for answer in answers {
      guard answer.count == 1, case .sqlite(_, "COMMIT") = answer[0] else {
        Issue.record("\(answer)")
        continue
      }
    }
    #expect(try Self.names(temporary) == [])
    #expect(try batch.run([Self.insert("a")]) == [[nil]])
    #expect(try Self.names(temporary) == ["a"])
  }

  @Test("a full disk is told as such; what was answered with success is there, and it works again afterwards")
  func full() throws {
    let temporary = try TemporaryStore()
    let batch = try Batch(temporary)
    let pages = try #require(try batch.session.database.integer("PRAGMA page_count"))
    try batch.session.database.execute("PRAGMA max_page_count = \(pages + 4)")
    let large: @Sendable (Session) throws(RegistryError) -> Void = { session throws(RegistryError) in
      try session.database.run(
        "INSERT INTO admin_tokens (digest, name, created_at) VALUES (zeroblob(1000000), 'large', 0)")
    }
    let answers = try batch.run([Self.insert("a"), large, Self.insert("b")])
    #expect(answers[1] == [.storageFull])
    let succeeded = zip(["a", "large", "b"], answers).filter { $0.1 == [nil] }.map(\.0)
    #expect(try Self.names(temporary) == succeeded.sorted())
    try batch.session.database.execute("PRAGMA max_page_count = 1000000")
    #expect(try batch.run([large]) == [[nil]])
  }

  @Test(
    "while another process holds the store, changes wait their time and are then told busy; signs of life are given"
  )
  func busy() throws {
    let temporary = try TemporaryStore()
    let holder = try temporary.database()
    try holder.run("BEGIN IMMEDIATE")
    let batch = try Batch(temporary)
    let answers = try batch.run([Self.insert("a"), nil, Self.insert("b")])
    #expect(answers == [[.busy], [nil], [.busy]])
    try holder.run("COMMIT")
    #expect(try batch.run([Self.insert("a")]) == [[nil]])
  }

  @Test("a queue that is full says busy, and one that is closed gives what it has and then nothing")
  func queue() throws {
    let queue = JobQueue<Int>(countMaximum: 3)
    for number in 1...3 { try queue.add(number) }
    #expect(throws: RegistryError.busy) { try queue.add(4) }
    #expect(queue.take(upTo: 2) == [1, 2])
    try queue.add(5)
    #expect(queue.takeWaiting(upTo: 1) == [3])
    queue.close()
    #expect(throws: RegistryError.closed) { try queue.add(6) }
    #expect(queue.take(upTo: 9) == [5])
    #expect(queue.take(upTo: 9) == [])
    #expect(queue.takeWaiting(upTo: 9) == [])
  }

  @Test("a commit is told to the observer before anybody is answered")
  func observed() async throws {
    let told = Atomic<Int>(0)
    var options = StoreOptions()
    // Slow, so that an answer which does not wait for it would be seen.
    options.observer = StoreObserver(
      committed: { _ in
        usleep(50_000)
        told.add(1, ordering: .relaxed)
      }, failed: { _ in })
    let place = try TemporaryStore(options: options)
    let before = told.load(ordering: .relaxed)
    for count in 1...3 {
      _ = try await place.stack("home \(count)")
      #expect(told.load(ordering: .relaxed) == before + count)
    }
    await place.store.close()
  }
}
