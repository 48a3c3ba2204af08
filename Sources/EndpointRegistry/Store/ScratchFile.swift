package import CryptoPrimitives
internal import Glibc

/// Files that are made whole under a name of their own before they get the one that they are for.
///
/// Whoever makes one removes it; one that is left over was its process's that was killed.
package enum ScratchFile {
  private static let mark = ".new-"
  private static let randomOctets = 8
  /// How old one has to be before somebody else removes it. Making one takes some milliseconds, and on the slowest of
  /// disks some seconds.
  private static let ageSeconds: Int64 = 60

  /// A name beside `path` that nobody else has.
  package static func name(for path: String, random: RandomOctets) -> String {
    "\(path)\(mark)\(Hex.encode(random(randomOctets)))"
  }

  /// Removes what is left over beside `path`; how many files that were.
  ///
  /// - Parameter at: the time now, in milliseconds since 1970.
  package static func removeLeftOver(beside path: String, at: Int64) -> Int {
    let folder = FilePath.folder(of: path)
    let beginning = "\(path.split(separator: "/").last ?? "")\(mark)"
    let names = names(in: folder).filter { isOurs($0, beginning: beginning) }
    return names.count { name in
      var status = stat()
      let file = "\(folder)/\(name)"
      guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        at / 1_000 - Int64(status.st_mtim.tv_sec) > ageSeconds
      else { return false }
      return unsafe unlink(file) == 0
    }
  }

  /// Removes what a restoration that was cut off has left for the store at `path`; how many files that were. Only while
  /// nobody else may restore.
  package static func removeRestoration(to path: String) -> Int {
    let temporary = StoreRestoration.temporary(for: FilePath.resolved(path))
    return ([""] + StoreCopy.sidecars).count { unsafe unlink(temporary + $0) == 0 }
  }

  /// Whether the name is one of ``name(for:random:)``, or of what SQLite puts beside such a file.
  private static func isOurs(_ name: String, beginning: String) -> Bool {
    guard name.hasPrefix(beginning) else { return false }
    var rest = name.dropFirst(beginning.count)
    if let sidecar = StoreCopy.sidecars.first(where: rest.hasSuffix) { rest = rest.dropLast(sidecar.count) }
    return rest.count == randomOctets * 2 && rest.allSatisfy { "0123456789abcdef".contains($0) }
  }

  /// What is in a folder; nothing where it cannot be read.
  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        unsafe String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
