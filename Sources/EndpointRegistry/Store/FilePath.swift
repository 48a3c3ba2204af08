internal import Glibc

/// Paths as text.
package enum FilePath {
  /// `path` with symbolic links followed, where something is there; otherwise as it is.
  static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// The folder that `path` lies in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
