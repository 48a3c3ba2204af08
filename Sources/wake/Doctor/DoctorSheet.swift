import WakeServer

/// Writes findings for people, as they come.
struct DoctorSheet {
  private let screen: Screen
  private let write: (String) -> Void
  private var pushServer: String?
  /// Whether a phone was named that wakes do not reach.
  private var hasDevicesAmiss = false
  /// Whether nobody looked whether the phone got the wake.
  private var isReceiptOpen = false
  /// Whether a line stands there that the next one takes the place of.
  private var hasWaitingLine = false

  init(screen: Screen, write: @escaping (String) -> Void) {
    self.screen = screen
    self.write = write
  }

  private static let verdictWidth = 8
  private static let linkWidth = 16
  private static let timeWidth = 8

  /// One finding: a line, and what to do where there is something to do.
  mutating func add(_ finding: DoctorLine) {
    if hasWaitingLine { write("\r\u{1b}[K") }
    hasWaitingLine = false
    if finding.link == DoctorLink.devices.rawValue, finding.verdict == .warning { hasDevicesAmiss = true }
    if finding.link == DoctorLink.receipt.rawValue, finding.verdict == .skipped { isReceiptOpen = true }
    head(finding)
    let words = [
      coloured(Self.padded(finding.verdictWord, Self.verdictWidth), finding.verdict),
      Self.padded(finding.title, Self.linkWidth),
      Self.padded(finding.milliseconds.map(Self.time) ?? "", Self.timeWidth, left: true),
      "", [finding.device, finding.seen].compactMap { $0 }.joined(separator: " ").onOneLine,
    ]
    write(words.joined(separator: " ") + "\n")
    let indent = String(repeating: " ", count: Self.verdictWidth + 1)
    if let cause = finding.cause { write("\(indent)why: \(cause.onOneLine)\n") }
    if let fix = finding.fix { write("\(indent)fix: \(fix.onOneLine)\n") }
  }

  /// What concerns one push server stands under its origin.
  private mutating func head(_ finding: DoctorLine) {
    // What is passed over belongs to what came before.
    guard finding.verdict != .skipped || finding.pushServer != nil else { return }
    let server = finding.device == nil ? finding.pushServer : nil
    guard server != pushServer else { return }
    write(server.map { "\n\($0.onOneLine)\n" } ?? "\n")
    pushServer = server
  }

  /// Says what is waited for, where somebody looks on.
  mutating func wait(for seconds: Int) {
    guard screen.columns != nil, seconds > 0 else { return }
    write("waiting for the phone, \(seconds) s at most …")
    hasWaitingLine = true
  }

  /// What it comes to.
  func end(verdict: String, fix: String?) {
    switch verdict {
    case DoctorVerdict.fault.rawValue: write("\nFix: \((fix ?? "see above").onOneLine)\n")
    case _ where isReceiptOpen:
      write("\nNothing that was looked at is broken. Whether the phone gets a wake was not looked at.\n")
    case DoctorVerdict.warning.rawValue where hasDevicesAmiss:
      write("\nThe service works. Phones that are named above were not reached: look at them one by one.\n")
    case DoctorVerdict.warning.rawValue: write("\nIt works. What is warned of above should be looked at.\n")
    default: write("\nAll is well.\n")
    }
  }

  private func coloured(_ text: String, _ verdict: DoctorVerdict?) -> String {
    guard screen.colour else { return text }
    let code =
      switch verdict {
      case .ok?: "32"
      case .warning?: "33"
      case .fault?: "1;31"
      case .skipped?, nil: "2"
      }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }

  private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
  }

  private static func time(_ milliseconds: Int) -> String {
    milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
  }
}
