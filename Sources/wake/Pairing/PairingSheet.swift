import WakeServer

/// A pairing link for people: the link, what to type where it will not do, and the code to scan.
struct PairingSheet: Sendable {
  let link: PairingLink
  /// When the pairing code ends, for people.
  let expiresAt: String
  let screen: Screen

  /// The lines from top to bottom. The QR code comes last: it is higher than many a window, and what is written last
  /// is what is seen.
  var lines: [String] {
    [
      "This adds one phone, until \(expiresAt).", "", "Open this link on the phone:", "",
      "  \(link.uri)", "", "or add the stack by hand in the companion app, and type there:", "",
      "  address      \(link.baseURL)", "  stack        \(link.stack)", "  code         \(link.code)",
    ] + (link.fingerprint.map { ["  certificate  \($0)"] } ?? []) + [""] + drawing
  }

  private var drawing: [String] {
    let drawing: TerminalQRCode
    do throws(QRCode.Failure) {
      drawing = try TerminalQRCode(QRCode(link.uri), colour: screen.colour)
    } catch {
      return [
        error == .tooLong
          ? "There is no QR code: the link is too long for one."
          : "There is no QR code: the library that draws it failed."
      ]
    }
    // A line that is broken in two leaves nothing to scan.
    if let columns = screen.columns, columns < drawing.columns {
      return [
        "There is no QR code: it takes \(drawing.columns) columns, and this terminal has \(columns)."
          + " Make it wider and pair again."
      ]
    }
    let lines = ["or scan this with the companion app:", ""] + drawing.lines
    // One line is the prompt that comes next.
    guard let seen = screen.lines, seen <= drawing.lines.count else { return lines }
    return lines + [
      "", "The QR code takes \(drawing.lines.count) lines: make the window higher to see all of it.",
    ]
  }
}
