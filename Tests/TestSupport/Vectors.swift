public import Foundation

/// Public test vectors that are read where they lie and not copied into `Fixtures/`.
/// `WAKE_VECTORS` names their folder; tests that need them are skipped, loudly, where it does not.
public enum Vectors {
  /// The folder, or nil where none is named or it does not exist.
  public static let folder: URL? = {
    guard let path = ProcessInfo.processInfo.environment["WAKE_VECTORS"], !path.isEmpty,
      FileManager.default.fileExists(atPath: path)
    else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true)
  }()

  /// What a skipped test says.
  public static let absent = "SKIPPED: WAKE_VECTORS names no folder of test vectors"

  /// Whether `name` (`wycheproof/aes_gcm_test.json`) can be read.
  public static func has(_ name: String) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: $0.appendingPathComponent(name).path) } ?? false
  }

  /// The octets of one file of the folder.
  public static func data(_ name: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(name))
  }
}

/// Files that the project ships for its tests: `Fixtures/<source>/<file>`.
public enum Fixtures {
  /// The folder `Fixtures`, found from this file's own place.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures", isDirectory: true)

  /// The octets of `name`, relative to `Fixtures`.
  public static func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// The text of a document of the repository, `docs/openapi.yaml`.
  public static func document(_ path: String) throws -> String {
    let data = try Data(contentsOf: folder.deletingLastPathComponent().appendingPathComponent(path))
    return String(decoding: data, as: UTF8.self)
  }
}
