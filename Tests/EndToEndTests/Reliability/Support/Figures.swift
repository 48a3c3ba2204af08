import Foundation

/// What a test of reliability has measured: a line on the terminal, and in the file that ``variable`` names.
enum Figures {
  /// Names the file.
  static let variable = "WAKE_FIGURES"

  static func note(_ what: String, _ value: String) {
    let line = "figure: \(what): \(value)"
    print(line)
    guard let path = ProcessInfo.processInfo.environment[variable] else { return }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try? file.write(contentsOf: Data("\(line)\n".utf8))
  }

  static func note(_ what: String, milliseconds times: [Duration]) {
    let sorted = times.map { $0 / .milliseconds(1) }.sorted()
    guard let last = sorted.last else { return }
    note(what, "median \(Int(sorted[sorted.count / 2])) ms, longest \(Int(last)) ms, of \(sorted.count)")
  }
}
