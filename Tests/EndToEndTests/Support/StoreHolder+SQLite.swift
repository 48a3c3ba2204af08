import CSQLite
import Synchronization

/// Another process's long write, as far as the store can tell: a transaction that holds the right to write.
final class StoreHolder: Sendable {
  struct Failed: Error {}

  private struct Handle: ~Copyable {
    let connection: OpaquePointer

    deinit { sqlite3_close_v2(connection) }
  }

  private let handle: Mutex<Handle>

  init(_ path: String) throws {
    var connection: OpaquePointer?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let connection,
      sqlite3_busy_timeout(connection, 5_000) == SQLITE_OK,
      sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
    else { throw Failed() }
    handle = Mutex(Handle(connection: connection))
  }

  /// Lets the others write again.
  func release() {
    handle.withLock { _ = sqlite3_exec($0.connection, "ROLLBACK", nil, nil, nil) }
  }
}
