internal import Glibc

/// Names of files that lead elsewhere.
enum FileLink {
  /// Where the file at `path` really lies; `path` itself where there is none.
  static func target(of path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
