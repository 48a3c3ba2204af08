import Foundation

/// The files of this repository: what is committed and what would be.
enum Repository {
  /// The top folder, found from this file's own place.
  static let top = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text file, in order of its path.
  static let files: [SourceFile] = (listedByGit() ?? walked()).sorted().compactMap { path in
    guard let data = try? Data(contentsOf: top.appendingPathComponent(path)),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    return SourceFile(path: path, text: text)
  }

  /// Every path, of whatever contents, and every folder above one.
  static let paths: Set<String> = {
    var all: Set<String> = []
    for path in listedByGit() ?? walked() {
      var parts = path.split(separator: "/")
      while !parts.isEmpty {
        all.insert(parts.joined(separator: "/"))
        parts.removeLast()
      }
    }
    return all
  }()

  /// The Swift files below one of the top folders.
  static func swift(in areas: String...) -> [SourceFile] {
    files.filter { areas.contains($0.area) && $0.path.hasSuffix(".swift") }
  }

  /// nil where this is no checkout of git, or git refuses it.
  private static func listedByGit() -> [String]? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    process.currentDirectoryURL = top
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let all = Set(data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    return all.filter { FileManager.default.fileExists(atPath: top.appendingPathComponent($0).path) }
  }

  /// For a copy without git: everything but what the build and the service write.
  private static func walked() -> [String] {
    let written: Set<String> = [".build", ".swiftpm", ".git", "state"]
    let walk = FileManager.default.enumerator(atPath: top.path)
    var all: [String] = []
    while let path = walk?.nextObject() as? String {
      if written.contains(path) {
        walk?.skipDescendants()
      } else if walk?.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        all.append(path)
      }
    }
    return all
  }
}
