import Foundation

/// What a terminal shows of an output, as a picture: enough of one to hold up to a scanner.
///
/// It knows line ends, the breaking of long lines, half blocks, and colours by `ESC [ … m`. Everything else of a
/// terminal is an error, so that no test passes by what was not understood.
struct TerminalPicture {
  /// What stands on what unless the program says otherwise.
  enum Theme: CaseIterable { case light, dark }

  struct NotUnderstood: Error {
    let sequence: String
  }

  private struct Pen {
    var ink: UInt8
    var ground: UInt8
  }

  private struct Cell {
    let character: Character
    let pen: Pen
  }

  /// Pixels of half a cell, which is a square.
  private static let pixels = 4

  private let columns: Int
  private let usual: Pen
  private var rows: [[Cell]] = [[]]

  init(_ output: String, theme: Theme, columns: Int) throws {
    self.columns = columns
    usual = theme == .light ? Pen(ink: 0, ground: 255) : Pen(ink: 255, ground: 0)
    var pen = usual
    var rest = output[...]
    while let character = rest.popFirst() {
      switch character {
      case "\u{1b}":
        let sequence = rest.prefix { $0 != "m" }
        rest = rest.dropFirst(sequence.count + 1)
        try change(&pen, sequence)
      case "\n", "\r\n": rows.append([])
      default:
        if rows[rows.count - 1].count == columns { rows.append([]) }
        rows[rows.count - 1].append(Cell(character: character, pen: pen))
      }
    }
  }

  /// Follows `[` and parameters (ECMA-48 §8.3.117).
  private func change(_ pen: inout Pen, _ sequence: Substring) throws {
    var parameters = sequence.dropFirst().split(separator: ";").map { Int($0) ?? -1 }[...]
    guard sequence.first == "[", !parameters.isEmpty else { throw NotUnderstood(sequence: String(sequence)) }
    while let parameter = parameters.popFirst() {
      switch parameter {
      case 0: pen = usual
      case 38, 48:
        guard parameters.popFirst() == 5, let number = parameters.popFirst() else {
          throw NotUnderstood(sequence: String(sequence))
        }
        if parameter == 38 { pen.ink = Self.grey(number) } else { pen.ground = Self.grey(number) }
      case 30...37, 40...47: if parameter < 40 { pen.ink = Self.grey(0) } else { pen.ground = Self.grey(0) }
      default: throw NotUnderstood(sequence: String(sequence))
      }
    }
  }

  /// How bright a colour of the palette of 256 is: its green, which counts most. The first 16 are the theme's and may be
  /// anything, so that here they are all the same.
  private static func grey(_ number: Int) -> UInt8 {
    switch number {
    case 16..<232: [0, 95, 135, 175, 215, 255][(number - 16) / 6 % 6]
    case 232..<256: UInt8(8 + (number - 232) * 10)
    default: 128
    }
  }

  /// The picture in the binary form of PGM.
  var pgm: Data {
    let (width, height) = (columns * Self.pixels, rows.count * 2 * Self.pixels)
    var data = Data("P5 \(width) \(height) 255\n".utf8)
    for row in rows {
      for line in 0..<2 * Self.pixels {
        for column in 0..<columns {
          let cell = column < row.count ? row[column] : Cell(character: " ", pen: usual)
          for x in 0..<Self.pixels {
            data.append(Self.isInk(cell.character, x, line) ? cell.pen.ink : cell.pen.ground)
          }
        }
      }
    }
    return data
  }

  private static func isInk(_ character: Character, _ x: Int, _ line: Int) -> Bool {
    switch character {
    case " ": false
    case "█": true
    case "▀": line < pixels
    case "▄": line >= pixels
    default: (1...2).contains(x) && (2...5).contains(line)  // a letter: some ink with room around it
    }
  }
}

extension TerminalPicture {
  private static let scanner = "/usr/bin/zbarimg"

  /// Whether there is a program that reads codes from pictures; the sentence where there is none.
  static let missing: String? =
    FileManager.default.isExecutableFile(atPath: scanner)
    ? nil : "SKIPPED: \(scanner) is not there (zbar-tools)"

  /// What a scanner reads in the picture: one text for each code.
  func scanned() async throws -> [String] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try pgm.write(to: URL(fileURLWithPath: folder.path("picture.pgm")))
    let ended = try await Program(
      path: Self.scanner,
      arguments: ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", folder.path("picture.pgm")]
    ).run()
    return ended.output.split(separator: "\n").map(String.init)
  }
}
