import CryptoPrimitives
import Glibc
import WakeServer

/// Owns the terminal of this process, where it has one: what is asked here goes past redirections.
struct SecretPrompt: ~Copyable {
  private let descriptor: Int32

  /// Nil where nobody sits at one.
  init?() {
    descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Asks, and reads a line that is not shown. Every key is read by itself: an interrupt would otherwise end the
  /// process with a terminal that shows nothing.
  func ask(_ prompt: String) throws(CommandError) -> SecretOctets {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { throw .failed("the terminal cannot be used") }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
      throw .failed("the terminal cannot be used")
    }
    defer { unsafe tcsetattr(descriptor, TCSAFLUSH, &before) }
    show(prompt)
    defer { show("\n") }
    var line: [UInt8] = []
    defer { line.cleanse() }
    while true {
      var key: UInt8 = 0
      let count = unsafe read(descriptor, &key, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { throw .failed("the terminal was closed") }
      switch key {
      case 0x0A, 0x0D: return SecretOctets(line)
      case 0x03, 0x04, 0x1C: throw .failed("no passphrase was given; nothing was done")
      case 0x15: line.removeAll()
      case 0x08, 0x7F:
        // One character of UTF-8, however many octets it has.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      default:
        guard line.count < Self.lineMaximum else { throw .failed("a passphrase of that length is not taken") }
        line.append(key)
      }
    }
  }

  private static let lineMaximum = 1_024

  private func show(_ text: String) {
    let octets = Array(text.utf8)
    _ = unsafe write(descriptor, octets, octets.count)
  }
}
