internal import EndpointRegistry
internal import Glibc

/// Reads and writes the files of a certificate.
enum CertificateFile {
  /// Octets of a file that is read: a chain has a few kilobytes.
  private static let octetsMaximum = 1_048_576

  /// The content of a certificate or, with `isSecret`, of a key, which strangers must not be able to read.
  ///
  /// A group may: that is how Debian's `ssl-cert` and systemd's credentials hand a key to a service.
  static func read(_ path: String, isSecret: Bool) throws(CertificateFileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .file(path, fault: "cannot be opened: \(String(errno: errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file(path, fault: "is not a regular file")
    }
    guard !isSecret || status.st_mode & (S_IRWXO | S_IWGRP) == 0 else {
      throw .file(path, fault: "is a key that everybody can read, or others can write: chmod 600 \(path)")
    }
    guard status.st_size <= octetsMaximum else { throw .file(path, fault: "is too long for PEM") }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while content.count <= octetsMaximum {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(path, fault: "cannot be read: \(String(errno: errno))") }
      if count == 0 { break }
      content += buffer.prefix(count)
    }
    return content
  }

  /// Whether anything has this name, a dangling link included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Puts a file at `path`, whole or not at all, and on disk when it returns.
  ///
  /// - Parameter replaces: whether one that is there gives way; otherwise it is `exists`.
  static func write(
    _ octets: [UInt8], to path: String, mode: mode_t, temporary: String, replaces: Bool
  ) throws(CertificateFileError) {
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure(temporary, errno) }
    defer {
      close(descriptor)
      unsafe unlink(temporary)
    }
    // Whatever the umask is.
    guard fchmod(descriptor, mode) == 0 else { throw failure(temporary, errno) }
    do throws(FileHandleOutput.Failed) { try FileHandleOutput(descriptor: descriptor).write(octets) } catch {
      throw failure(temporary, error.number)
    }
    guard fsync(descriptor) == 0 else { throw failure(temporary, errno) }
    let named = unsafe replaces ? rename(temporary, path) : link(temporary, path)
    guard named == 0 else { throw errno == EEXIST ? .exists(path) : failure(path, errno) }
    try syncFolder(of: path)
  }

  private static func syncFolder(of path: String) throws(CertificateFileError) {
    let folder = FilePath.folder(of: path)
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(folder, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(folder, errno) }
  }

  private static func failure(_ path: String, _ number: Int32) -> CertificateFileError {
    .file(path, fault: "cannot be written: \(String(errno: number))")
  }
}
