import Glibc

/// What standard output leads to, as far as a drawing must know.
struct Screen: Sendable, Equatable {
  /// Columns of a line; nil where nothing breaks one: a file or a pipe.
  let columns: Int?
  /// Lines that are seen at once; nil where nobody says.
  let lines: Int?
  /// Whether colours are understood, and wanted.
  let colour: Bool

  /// Columns of a terminal that does not say how many it has: those of the terminals that all others imitate.
  private static let usualColumns = 80

  init(columns: Int?, lines: Int?, colour: Bool) {
    self.columns = columns
    self.lines = lines
    self.colour = colour
  }

  /// - Parameters:
  ///   - environment: `COLUMNS` wins over what the terminal says; `NO_COLOR`, unless empty, and `TERM=dumb` mean no
  ///     colour.
  ///   - size: what the terminal says of itself, 0 where it does not know; nil where there is no terminal.
  init(environment: [String: String], size: (columns: Int, lines: Int)?) {
    let named = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let said = size.map { $0.columns > 0 ? $0.columns : Self.usualColumns }
    columns = named ?? said
    lines = size.flatMap { $0.lines > 0 ? $0.lines : nil }
    colour = size != nil && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// What standard output is now.
  static func standardOutput(_ environment: [String: String]) -> Screen {
    guard isatty(STDOUT_FILENO) == 1 else { return Screen(environment: environment, size: nil) }
    // `struct winsize` of ioctl_tty(2): rows, columns and two that are not used. Its own type comes with a module that
    // cannot be imported.
    var size: [UInt16] = [0, 0, 0, 0]
    _ = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return Screen(environment: environment, size: (columns: Int(size[1]), lines: Int(size[0])))
  }
}
