import Foundation
import StrictJSON
import Testing

extension Server {
  /// Wakes may go to whatever port of loopback a companion has, and go soon.
  static let wakingLoopback = ["WAKE_PUSH_ALLOW": "127.0.0.0/8", "WAKE_WINDOW": "1"]

  /// The link of a fresh code for a stack.
  func link(_ stack: String, https: Bool = false) async throws -> String {
    let url = "\(https ? "https" : "http")://\(address)"
    return try #require(try await json("pair", stack, "--public-url", url)["uri"]?.string)
  }
}

extension Program {
  /// `wake companion …` with its state in a folder.
  static func companion(_ folder: TemporaryFolder, _ arguments: String...) -> Program {
    .wake(["companion"] + arguments + ["--state", folder.path("companion.json"), "--json"], state: folder)
  }
}

extension LineProcess {
  /// Runs `body` with a companion that is ready, and ends it.
  static func companion(
    _ folder: TemporaryFolder, follows: Bool = false, _ body: (LineProcess) async throws -> Void
  ) async throws {
    let process = try LineProcess(
      follows ? .companion(folder, "run", "--follow") : .companion(folder, "run"))
    do {
      #expect(try await process.next()?["what"] == "ready")
      try await body(process)
    } catch {
      process.signal(SIGKILL)
      _ = await process.exitCode()
      throw error
    }
    process.signal(SIGTERM)
    #expect(await process.exitCode() == 0)
  }

  /// The next line that says `what`, those before it passed over.
  func note(_ what: String) async throws -> JSONValue {
    while let line = try await next() {
      if line["what"]?.string == what { return line }
    }
    Issue.record("the companion ended without saying \(what)")
    return .null
  }
}
