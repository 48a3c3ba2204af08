import Foundation
import Glibc
import HTTPClient
import StrictJSON
import Testing

@Suite("The form of the log")
struct LogFormTests {
  @Test("a file gets one JSON object a line, from the first to the last, with what it is about")
  func json() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    var (log, id) = ({ "" } as () throws -> String, "")
    try await Server.with(state, ["WAKE_LOG_LEVEL": "debug"]) { server in
      let answer = try await server.ask("GET", "/v1/stacks/abcdefgh", token: "none")
      id = try #require(answer.header("X-Request-Id"))
      log = server.log
    }
    #expect(id.count == 16)
    let objects = try log().split(separator: "\n").map { try StrictJSON.parse(Array($0.utf8)).object }
    let lines = objects.compactMap { $0 }
    #expect(lines.count == objects.count)
    for line in lines {
      #expect(line.names.prefix(3) == ["time", "level", "message"])
      #expect(line["time"]?.string?.hasSuffix("Z") == true)
    }
    let messages = lines.compactMap { $0["message"]?.string }
    #expect(messages.contains { $0.hasPrefix("listening on 127.0.0.1:") } && messages.last == "ending")
    let about = lines.filter { $0["requestId"]?.string == id }
      .compactMap { $0["message"]?.string }
    #expect(about.contains("GET /v1/stacks/{stack} was answered 401"))
  }

  @Test("where standard error is the journal, lines have its levels", arguments: [true, false])
  func journal(isItself: Bool) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let file = try state.newFile("journal")
    var status = stat()
    #expect(fstat(file.fileDescriptor, &status) == 0)
    // Or the journal of whoever started it, which is another file.
    let stream = "\(status.st_dev):\(status.st_ino + (isItself ? 0 : 1))"
    let process = try LineProcess(
      .wake(["serve", "--json"], state: state, ["JOURNAL_STREAM": stream]), errors: file)
    let listens = (try? await process.next()) != nil
    process.signal(SIGTERM)
    let exitCode = await process.exitCode()
    #expect(listens && exitCode == 0)
    let lines = try state.text("journal").split(separator: "\n")
    #expect(lines.count >= 3)
    if isItself {
      #expect(lines.contains { $0.hasPrefix("<6>listening on 127.0.0.1:") })
      #expect(lines.contains { $0.hasPrefix("<4>a NEW, empty store was made") })
      #expect(lines.allSatisfy { $0.firstMatch(of: /^<[3467]>[^0-9{]/) != nil })
    } else {
      #expect(lines.allSatisfy { $0.hasPrefix("{") })
    }
  }

  @Test("a form that is asked for is kept to")
  func asked() async throws {
    try await Server.with(["WAKE_LOG_FORMAT": "text"]) { server in
      let line = try #require(try server.log().split(separator: "\n").first)
      #expect(
        line.firstMatch(of: #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d (info|warning) /#) != nil)
    }
  }
}
