import KindCatalogue

@testable import EndpointRegistry

/// What a stack's fan-outs have to come to, in plain values: the rules, without a store.
struct WakeModel {
  /// One alert.
  struct Alert {
    let number: Int64
    let kind: Kind
    let wakes: Bool
    let at: Int64
  }

  /// One device, and all that was ever decided for it.
  struct Device {
    var isSubscribed = true
    var muted: Set<Kind> = []
    var seen: Int64
    var waiting: [Alert] = []
    var windowAt: Int64?
    /// What each wake stands for, and when it was begun.
    var sent: [(at: Int64, alerts: [Alert])] = []
    var mutedAlerts: [Alert] = []
    var staleAlerts: [Alert] = []
    /// What waited at some time: the rows for that.
    var waitedAlerts: [Alert] = []
    /// What an activation wake has made up for.
    var passedOver: Set<Int64> = []
  }

  /// What a page says of one device.
  struct Entry {
    let seen: Int64
    let waitingCount: Int
    let newest: Int64
    let muted: [Alert]
    let stale: [Alert]
    let due: [Alert]
    let newlyDue: [Alert]
    let windowEndsAt: Int64?
  }

  var alerts: [Alert] = []
  var devices: [DeviceID: Device] = [:]
  var settled: Int64 = 0
  var window: Int64
  let fresh: Int64

  var newest: Int64 { Int64(alerts.count) }
  var newestWaking: Int64 { alerts.last { $0.wakes }?.number ?? 0 }
  var isToBeNudged: Bool {
    newestWaking > settled || devices.values.contains { $0.isSubscribed && !$0.waiting.isEmpty }
  }

  /// The devices of a page, by the whole rule.
  func page(after: DeviceID?, limit: Int) -> [DeviceID] {
    let listed = devices.filter { _, device in
      device.isSubscribed && (device.seen < newestWaking || !device.waiting.isEmpty)
    }
    return Array(listed.keys.sorted().drop { id in after.map { !($0 < id) } ?? false }.prefix(limit))
  }

  func entry(_ device: Device, at: Int64) -> Entry {
    let new = alerts.filter { $0.wakes && $0.number > device.seen }
    let isStale = { (alert: Alert) in alert.at < at - fresh }
    let muted = new.filter { device.muted.contains($0.kind) }
    let heard = new.filter { !device.muted.contains($0.kind) }
    let isRestStale = device.waiting.last.map(isStale) ?? false
    let newlyDue = heard.filter { !isStale($0) }
    let isOpen = device.windowAt.map { $0 <= at && at < $0 + window } ?? false
    return Entry(
      seen: device.seen, waitingCount: device.waiting.count, newest: newest, muted: muted,
      stale: (isRestStale ? device.waiting : []) + heard.filter(isStale),
      due: (isRestStale ? [] : device.waiting) + newlyDue, newlyDue: newlyDue,
      windowEndsAt: isOpen ? device.windowAt.map { $0 + window } : nil)
  }

  /// Keeps a decision; whether a wake goes out.
  mutating func settle(_ id: DeviceID, _ entry: Entry, _ decision: WakeDecision, at: Int64) -> Bool {
    guard var device = devices[id], device.isSubscribed, device.seen == entry.seen,
      device.waiting.count == entry.waitingCount
    else { return false }
    device.seen = entry.newest
    device.waiting = []
    device.mutedAlerts += entry.muted
    device.staleAlerts += entry.stale
    var isSent = false
    switch decision {
    case .send:
      device.sent.append((at, entry.due))
      device.windowAt = at
      if entry.due.count > entry.newlyDue.count { device.waitedAlerts += entry.newlyDue }
      isSent = true
    case .wait:
      device.waiting = entry.due
      device.waitedAlerts += entry.newlyDue
    case .pass:
      break
    }
    devices[id] = device
    return isSent
  }

  /// The device gets another subscription: what was raised so far wakes it no more.
  mutating func subscribe(_ id: DeviceID) {
    guard var device = devices[id] else { return }
    let untold = alerts.filter { $0.wakes && $0.number > device.seen } + device.waiting
    device.passedOver.formUnion(untold.map(\.number))
    device.isSubscribed = true
    device.seen = newest
    device.waiting = []
    devices[id] = device
  }
}

/// Numbers that are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True in `percent` of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
