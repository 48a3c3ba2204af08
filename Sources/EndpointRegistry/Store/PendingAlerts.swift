internal import KindCatalogue

/// The waking alerts that a page of devices has not been told of, in the order of their numbers, and how they divide for
/// each device.
struct PendingAlerts {
  /// One alert, without what it says.
  struct Row {
    let id: AlertID
    let kind: Kind
    let at: Int64
  }

  /// How they divide for one device.
  struct Division {
    var muted: AlertSpan?
    var stale: AlertSpan?
    var due: AlertSpan?
    /// When the newest of `due` was raised.
    var dueAt: Int64?
  }

  /// What one device has not been told of depends on these alone; most devices of a page have both in common.
  private struct Question: Hashable {
    let seen: Int64
    let muted: Set<Kind>
  }

  private let rows: [Row]
  private let staleBefore: Int64
  private var divisions: [Question: Division] = [:]

  /// `rows` are in the order of their numbers; those from before `staleBefore` are too old to wake anybody.
  init(_ rows: [Row], staleBefore: Int64) {
    self.rows = rows
    self.staleBefore = staleBefore
  }

  /// The kinds of all of them, in list order.
  var kinds: [Kind] { Kind.inListOrder(rows.map(\.kind)) }

  /// Those after number `seen`, for a device that mutes `muted`.
  mutating func division(after seen: Int64, muting muted: [Kind]) -> Division {
    let question = Question(seen: seen, muted: Set(muted))
    if let known = divisions[question] { return known }
    var division = Division()
    for row in rows where row.id.number > seen {
      let one = AlertSpan(first: row.id, last: row.id, count: 1)
      if question.muted.contains(row.kind) {
        division.muted = division.muted.joined(with: one)
      } else if row.at < staleBefore {
        division.stale = division.stale.joined(with: one)
      } else {
        division.due = division.due.joined(with: one)
        division.dueAt = row.at
      }
    }
    divisions[question] = division
    return division
  }
}
