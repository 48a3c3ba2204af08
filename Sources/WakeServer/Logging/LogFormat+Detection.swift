internal import Glibc

extension LogFormat {
  /// What suits whoever reads standard error.
  package static func fitting(_ environment: [String: String]) -> LogFormat {
    var status = stat()
    let isKnown = unsafe fstat(STDERR_FILENO, &status) == 0
    return fitting(
      journalStream: environment["JOURNAL_STREAM"],
      device: isKnown ? UInt64(status.st_dev) : nil, inode: isKnown ? UInt64(status.st_ino) : nil,
      isTerminal: isatty(STDERR_FILENO) == 1)
  }

  /// The journal where standard error is the file that `JOURNAL_STREAM` names, `device:inode` (systemd.exec(5)): what
  /// was inherited from a service and leads elsewhere does not count. Then text on a terminal, and JSON otherwise.
  package static func fitting(
    journalStream: String?, device: UInt64?, inode: UInt64?, isTerminal: Bool
  ) -> LogFormat {
    if let journalStream, let device, let inode, journalStream == "\(device):\(inode)" { return .journal }
    return isTerminal ? .text : .json
  }
}
