import Foundation
import Glibc
import HTTPClient
import StrictJSON
import Testing

/// Whether the launcher can run.
private let hasPython = access("/usr/bin/python3", X_OK) == 0

@Suite("A socket that systemd hands over", .enabled(if: hasPython, "SKIPPED: /usr/bin/python3 is not here"))
struct HandedSocketTests {
  /// Does what systemd does for a socket unit: binds, sets the variables, and becomes the program.
  private static let launcher = """
    import os, socket, sys
    path, names, pid, accepting = sys.argv[1:5]
    listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(path or ("127.0.0.1", 0))
    if accepting == "yes":
        listener.listen(16)
    for number in range(3, 3 + len(names.split(":"))):
        if listener.fileno() != number:
            os.dup2(listener.fileno(), number)
        os.set_inheritable(number, True)
    os.environ["LISTEN_PID"] = pid or str(os.getpid())
    os.environ["LISTEN_FDS"] = str(len(names.split(":")))
    os.environ["LISTEN_FDNAMES"] = names
    os.execv(sys.argv[5], sys.argv[5:])
    """

  private static func launched(
    _ program: Program, path: String = "", names: String = "wake", pid: String = "", accepting: String = "yes"
  ) -> Program {
    var program = program
    program.arguments = ["-c", launcher, path, names, pid, accepting, program.path] + program.arguments
    return Program(path: "/usr/bin/python3", arguments: program.arguments, environment: program.environment)
  }

  private static func serve(_ state: TemporaryFolder, _ settings: [String: String]) -> Program {
    .wake(["serve", "--json"], state: state, settings)
  }

  /// Starts it, asks for its health, and ends it.
  private func health(_ program: Program, _ state: TemporaryFolder, unixSocket: String? = nil) async throws
    -> Int
  {
    let process = try LineProcess(program, errors: try state.newFile("log"))
    let line = try #require(try await process.next(), "the server ended at once")
    let address = try #require(line["listening"]?.string)
    let url = unixSocket == nil ? "http://\(address)/healthz" : "http://localhost/healthz"
    if let unixSocket { #expect(address == "unix:\(unixSocket)") }
    let status = try? await HTTPClient(unixSocket: unixSocket).send("GET", url, headers: [], body: nil).status
    process.signal(SIGTERM)
    #expect(await process.exitCode() == 0)
    return status ?? 0
  }

  @Test("a TCP socket is served, the first or the one that is named", arguments: ["systemd", "systemd:web"])
  func tcp(listen: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let program = Self.launched(Self.serve(state, ["WAKE_LISTEN": listen]), names: "other:web")
    #expect(try await health(program, state) == 200)
  }

  @Test("a Unix socket is served, and its file stays for the next start")
  func unix() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let path = state.path("s")
    let program = Self.launched(Self.serve(state, ["WAKE_LISTEN": "systemd"]), path: path)
    #expect(try await health(program, state, unixSocket: path) == 200)
    #expect(access(path, F_OK) == 0)
  }

  @Test("a child of the service gets neither the variables nor the sockets")
  func children() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let seen = state.path("seen")
    let key = "wake-service-key-1 \(String(repeating: "A", count: 43))"
    let command = "{ env; ls -l /proc/$$/fd; } > '\(seen)'; echo '\(key)'"
    let settings = ["WAKE_LISTEN": "systemd", "WAKE_SERVICE_KEY_COMMAND": command]
    #expect(try await health(Self.launched(Self.serve(state, settings), names: "a:b"), state) == 200)
    let told = try state.text("seen")
    #expect(told.contains("WAKE_LISTEN=systemd"))
    #expect(
      !told.contains("LISTEN_PID") && !told.contains("LISTEN_FD") && !told.contains("socket:"), "\(told)")
  }

  @Test("where nothing was handed over, or for another process, or by another name, it is wrong usage")
  func nothing() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let unnamed = Self.serve(state, ["WAKE_LISTEN": "systemd"])
    for program in [
      unnamed, Self.launched(unnamed, pid: "1"),
      Self.launched(Self.serve(state, ["WAKE_LISTEN": "systemd:web"])),
    ] {
      let ended = try await program.run()
      #expect(ended.exitCode == 2)
      #expect(ended.errors.hasPrefix("wake: WAKE_LISTEN"), "\(ended.errors)")
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
    // Nothing was made meanwhile.
    #expect(access(state.path("state"), F_OK) != 0)
  }

  @Test("a socket that does not listen is refused, with what to write into its unit")
  func notListening() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Self.launched(Self.serve(state, ["WAKE_LISTEN": "systemd"]), accepting: "no").run()
    #expect(ended.exitCode == 1)
    #expect(ended.errors.contains("Accept=no"), "\(ended.errors)")
  }
}
