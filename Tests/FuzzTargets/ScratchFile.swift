import Foundation

/// Files of this process, for readers that take a path. They go when the process ends in order.
enum ScratchFile {
  private static let folder: URL = {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-fuzz-\(process)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { ScratchFile.removeAll() }
    return folder
  }()

  private static func removeAll() { try? FileManager.default.removeItem(at: folder) }

  /// Where what is called `name` lies.
  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs `body` with the path of a file of mode 0600 that has `octets`.
  static func with<Value>(_ octets: [UInt8], _ body: (String) throws -> Value) throws -> Value {
    let path = path(UUID().uuidString)
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: path, contents: Data(octets), attributes: attributes) else {
      throw FuzzFinding(description: "no file could be made in the temporary folder")
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }
}
