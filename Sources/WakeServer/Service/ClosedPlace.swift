internal import EndpointRegistry
internal import Glibc

/// A file or folder that this user may not use.
package struct ClosedPlace: Sendable, Equatable {
  package let path: String
  /// Whose it is, as sudo(8) takes it; nil where it is this user's own.
  package let owner: String?

  /// The first such on the way to `path`, from the root on; nil where there is none, or something is missing.
  package init?(onTheWayTo path: String) {
    let parts = path.split(separator: "/")
    var place = ""
    for index in parts.indices {
      place += "/\(parts[index])"
      var status = stat()
      guard unsafe stat(place, &status) == 0 else { return nil }
      // A folder on the way is passed through; what stands at the end is read and changed.
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let isEnd = index == parts.indices.last
      let wish = (isFolder ? X_OK : 0) | (isEnd ? R_OK | W_OK : 0)
      guard unsafe access(place, wish) != 0, errno == EACCES else { continue }
      self.init(path: place, user: status.st_uid)
      return
    }
    return nil
  }

  /// The one that keeps this user from `path`, which was refused: on the way to it, its folder, in which files are made,
  /// or else itself.
  package init(refusing path: String) {
    if let place = ClosedPlace(onTheWayTo: path) ?? ClosedPlace(onTheWayTo: FilePath.folder(of: path)) {
      self = place
      return
    }
    var status = stat()
    self.init(path: path, user: unsafe stat(path, &status) == 0 ? status.st_uid : geteuid())
  }

  private init(path: String, user: uid_t) {
    self.path = path
    owner = user == geteuid() ? nil : Self.name(of: user)
  }

  /// What is wrong, in one line.
  package var sentence: String {
    owner.map { "\(path) belongs to the user \($0)" } ?? "\(path) is closed to its own user"
  }

  /// What to type.
  package var fix: String {
    owner.map { "run it as that user: sudo -u \($0) wake …" } ?? "chmod u+rwX \(path)"
  }

  /// Octets of an entry of passwd(5): more than any has.
  private static let entryOctets = 16_384

  /// The name of a user; `'#990'` where it has none.
  private static func name(of user: uid_t) -> String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: entryOctets)
    let code = unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &found)
    guard code == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return "'#\(user)'" }
    return unsafe String(cString: name)
  }
}
