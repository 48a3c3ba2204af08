import Glibc

/// What runs the program.
struct SystemDescription {
  /// `Debian GNU/Linux 12 (bookworm)`.
  let name: String
  let kernel: String
  let architecture: String

  /// os-release(5) is a few lines.
  private static let octetsMaximum = 16_384

  static var current: SystemDescription {
    var system = utsname()
    _ = unsafe uname(&system)
    return SystemDescription(name: osName, kernel: text(&system.release), architecture: text(&system.machine))
  }

  /// `PRETTY_NAME` of os-release(5).
  private static var osName: String {
    let descriptor = unsafe open("/etc/os-release", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "unknown" }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: octetsMaximum)
    let count = unsafe read(descriptor, &octets, octets.count)
    let lines = String(decoding: octets.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("PRETTY_NAME=") }) else { return "unknown" }
    return line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
  }

  private static func text<Characters>(_ characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { buffer in
      unsafe String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
