internal import EndpointRegistry
internal import HTTPListener
internal import Synchronization

/// One open event stream of one device.
final class EventReader: Sendable {
  /// Octets that may wait for a reader: 15 of the largest alerts, and a thousand usual ones.
  static let waitingOctets = 262_144
  /// Octets that may still wait when more of the past is written.
  static let backlogOctets = waitingOctets / 4
  /// Looks in a row that find such a backlog and none of it gone, after which the reader is cut off: a minute. What it
  /// takes leaves us in steps of a sixteenth of its system's buffer: at 8 KiB a second, up to 48 s where that has grown to
  /// 6 MiB. The memory is bounded meanwhile.
  static let stalledLooks = 120

  /// Tells it from every other one.
  let number: Int
  let stack: StackID
  let device: DeviceID
  /// What the stream was opened with: it ends with its token.
  let token: Token
  let stream: HTTPStream
  private let backlog = Mutex((octets: 0, looks: 0))

  init(number: Int, stack: StackID, device: DeviceID, token: Token, stream: HTTPStream) {
    self.number = number
    self.stack = stack
    self.device = device
    self.token = token
    self.stream = stream
  }

  /// Whether the reader has stopped reading; to be asked at even intervals.
  func isStalled() -> Bool {
    let waiting = stream.waitingOctets
    return backlog.withLock { backlog in
      let isStuck = waiting >= Self.backlogOctets && waiting >= backlog.octets
      backlog = (waiting, isStuck ? backlog.looks + 1 : 0)
      return backlog.looks >= Self.stalledLooks
    }
  }
}
