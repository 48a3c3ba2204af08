/// A QR code as lines of a terminal: one module a column, two modules a line, with half blocks.
struct TerminalQRCode: Sendable {
  /// Light modules that must stand on every side of a code (ISO/IEC 18004 §5.3.8).
  static let quietZone = 4

  private let code: QRCode
  private let colour: Bool

  /// - Parameter colour: whether the terminal understands colours, and the reader wants them.
  init(_ code: QRCode, colour: Bool) {
    self.code = code
    self.colour = colour
  }

  /// Columns of the drawing, quiet zone included.
  var columns: Int { code.width + 2 * Self.quietZone }

  /// The lines from top to bottom.
  var lines: [String] {
    stride(from: -Self.quietZone, to: code.width + Self.quietZone, by: 2).map { row in
      let cells = (-Self.quietZone..<code.width + Self.quietZone).map { column in
        let (upper, lower) = (
          code.isDark(row: row, column: column), code.isDark(row: row + 1, column: column)
        )
        // What is drawn is what is dark where we know the ground, and what is light where we do not.
        return Self.cell(upper: upper == colour, lower: lower == colour)
      }
      return colour ? Self.blackOnWhite + cells.joined() + Self.reset : cells.joined()
    }
  }

  /// With colour, dark modules are drawn black on white whatever the terminal's theme is. The two come from the fixed
  /// part of the palette of 256: the first 16 are the theme's own, and its "white" may be grey or its "black" beige.
  ///
  /// Without colour the ground is the terminal's, and unknown. Light modules are drawn then: on a dark terminal, which
  /// most are, the drawn quiet zone and light modules are bright and the code is right. On a light one it is negative,
  /// and many scanners read that too; the link stands below it for those that do not.
  private static let blackOnWhite = "\u{1b}[38;5;16;48;5;231m"
  private static let reset = "\u{1b}[0m"

  private static func cell(upper: Bool, lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
