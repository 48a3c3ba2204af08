import CryptoPrimitives
import EndpointRegistry
import Glibc
import WakeServer

/// Where a passphrase comes from: the first line of a file, or whoever sits at the terminal.
struct Passphrase: Sendable {
  static let option = Option(
    "--passphrase-file", "FILE", help: "the passphrase is the first line of this file (asked for otherwise)")

  private let file: String?

  init(_ invocation: Invocation) { file = invocation.value(Self.option.flag) }

  /// A passphrase for something new; at a terminal it is typed twice.
  func choose() throws(CommandError) -> SecretOctets {
    if let file { return try Self.read(file) }
    guard let prompt = SecretPrompt() else {
      throw .usage("there is no terminal to ask for a passphrase at: name a file with \(Self.option.flag)")
    }
    let least = BackupKey.passphraseLengthMinimum
    let first = try prompt.ask("passphrase for the service key (\(least) characters or more): ")
    guard try prompt.ask("once more: ") == first else { throw .failed("the two passphrases differ") }
    return first
  }

  /// The passphrase of something that is there; nil where nobody can be asked.
  func recall() throws(CommandError) -> SecretOctets? {
    if let file { return try Self.read(file) }
    return try SecretPrompt()?.ask("passphrase of the service key in the backup: ")
  }

  /// Octets of a first line: more than anybody types.
  private static let lengthMaximum = 1_024

  /// A file that others can read is no place for a passphrase, as it is none for a key.
  private static func read(_ path: String) throws(CommandError) -> SecretOctets {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .failed("\(path): \(String(errno: errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .failed("\(path) is not a regular file")
    }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
      throw .failed("\(path) can be read by others: chmod 600 \(path)")
    }
    var octets = [UInt8](repeating: 0, count: lengthMaximum + 1)
    defer { octets.cleanse() }
    let count = unsafe Glibc.read(descriptor, &octets, octets.count)
    guard count >= 0 else { throw .failed("\(path): \(String(errno: errno))") }
    var line = octets[..<count].prefix { $0 != 0x0A }
    if line.last == 0x0D { line = line.dropLast() }
    guard line.count <= lengthMaximum else { throw .failed("the first line of \(path) is too long") }
    return SecretOctets(Array(line))
  }
}
