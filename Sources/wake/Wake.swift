import CryptoPrimitives
import Foundation
import StrictJSON
import WakeServer

/// The program.
@main
struct Wake {
  static let commands: [Command] = [
    [.serve], Command.tls, Command.stack, Command.vapidKeys, Command.hookTokens, [.pair], Command.device,
    [.send, .attempts, .kinds, .doctor], Command.backups, Command.serviceKeys, Command.adminTokens,
    Command.companion, [.pushServer, .demo],
  ].flatMap { $0 }

  static func main() async {
    CoreDumps.forbid()
    // A reader that went away is an error of that write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    // A limit of the size of files is a full disk, and not the end of the program either.
    signal(SIGXFSZ, SIG_IGN)
    Algorithms.keepUntilTheEnd()
    let reader = ArgumentReader(
      commands: commands, environment: ProcessInfo.processInfo.environment,
      workingFolder: FileManager.default.currentDirectoryPath,
      readFile: { try? String(contentsOfFile: $0, encoding: .utf8) })
    do throws(CommandError) {
      switch try reader.read(Array(CommandLine.arguments.dropFirst())) {
      case .help(let command):
        try StandardOutput.write((command.map(Help.command) ?? Help.program(commands)) + "\n")
      case .groupHelp(let words):
        try StandardOutput.write(Help.group(words, commands) + "\n")
      case .version(let isJSON):
        try StandardOutput.write((isJSON ? Version.document.text : Version.text) + "\n")
      case .run(let invocation):
        try await invocation.command.run(invocation)
      }
    } catch {
      if let line = error.line { try? FileHandleOutput.standardError.write("wake: \(line)\n") }
      exit(error.exitCode)
    }
  }
}
