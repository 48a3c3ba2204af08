import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Cursors into a stack's alerts")
struct AlertCursorTests {
  private static let newest = AlertID(epoch: "abcdefgh", number: 9)
  private static let oldest = AlertID(epoch: "abcdefgh", number: 5)

  @Test(
    "a cursor is honoured, or says why not, and then all that is kept is read",
    arguments: [
      (nil, 0, nil), ("abcdefgh-9", 9, nil), ("abcdefgh-5", 5, nil), ("abcdefgh-4", 4, nil),
      ("abcdefgh-3", 0, .expired), ("abcdefgh-0", 0, .expired), ("abcdefgh-10", 0, .ahead),
      ("abcdefgh-9223372036854775807", 0, .ahead), ("bbbbbbbb-7", 0, .unknown), ("bbbbbbbb-99", 0, .unknown),
      ("", 0, .malformed), ("7", 0, .malformed), ("abcdefgh-07", 0, .malformed),
      ("abcdefgh-9223372036854775808", 0, .malformed), ("abcdefgh--1", 0, .malformed),
    ] as [(String?, Int64, AlertGap.Reason?)])
  func resolve(text: String?, after: Int64, reason: AlertGap.Reason?) {
    let cursor = AlertCursor.resolve(text, oldest: Self.oldest, newest: Self.newest)
    #expect(cursor.after == after)
    #expect(cursor.gap == reason.map { AlertGap(reason: $0, oldest: Self.oldest, newest: Self.newest) })
  }

  @Test("before the first alert `-0` is honoured, and where none is kept any more only the newest is")
  func nothingKept() {
    let empty = AlertID(epoch: "abcdefgh", number: 0)
    #expect(AlertCursor.resolve("abcdefgh-0", oldest: nil, newest: empty) == AlertCursor(after: 0, gap: nil))
    #expect(AlertCursor.resolve("abcdefgh-1", oldest: nil, newest: empty).gap?.reason == .ahead)
    #expect(AlertCursor.resolve("abcdefgh-9", oldest: nil, newest: Self.newest).gap == nil)
    let gap = AlertCursor.resolve("abcdefgh-8", oldest: nil, newest: Self.newest).gap
    #expect(gap == AlertGap(reason: .expired, oldest: nil, newest: Self.newest))
  }

  @Test("pages follow each other without a gap or a repeat, and the last one says so")
  func pages() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    for _ in 0..<7 {
      _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack.id, at: 0)
    }
    var cursor: String? = stack.newest.text
    var pages: [[Int64]] = []
    while let after = cursor {
      let page = try await temporary.store.alerts(of: stack.id, after: after, limit: 3)
      #expect(page.gap == nil)
      #expect(page.next == nil || page.next == page.alerts.last?.id)
      pages.append(page.alerts.map(\.id.number))
      cursor = page.next?.text
    }
    #expect(pages == [[1, 2, 3], [4, 5, 6], [7]])
    // A page that is just full is the last one.
    let full = try await temporary.store.alerts(of: stack.id, after: nil, limit: 7)
    #expect(full.alerts.count == 7 && full.next == nil)
    let end = try await temporary.store.alerts(of: stack.id, after: full.alerts.last?.id.text, limit: 7)
    #expect(end.alerts.isEmpty && end.next == nil && end.gap == nil)
    let none = try await temporary.store.alerts(of: stack.id, after: nil, limit: 0)
    #expect(none.alerts.isEmpty)
  }

  @Test("a cursor that cannot be honoured gives a gap and what is kept, from the oldest, page by page")
  func gap() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let other = try await temporary.stack("other").stack
    for _ in 0..<5 {
      _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack.id, at: 0)
    }
    try temporary.database().run("DELETE FROM alerts WHERE number <= 2")
    let epoch = stack.newest.epoch
    let oldest = AlertID(epoch: epoch, number: 3)
    let newest = AlertID(epoch: epoch, number: 5)
    for (cursor, reason) in [
      ("\(epoch)-1", .expired), ("\(other.newest.epoch)-0", .unknown), ("\(epoch)-6", .ahead),
      ("x", .malformed),
    ] as [(String, AlertGap.Reason)] {
      let page = try await temporary.store.alerts(of: stack.id, after: cursor, limit: 2)
      #expect(page.gap == AlertGap(reason: reason, oldest: oldest, newest: newest))
      #expect(page.alerts.map(\.id.number) == [3, 4])
      let rest = try await temporary.store.alerts(of: stack.id, after: page.next?.text, limit: 2)
      #expect(rest.gap == nil && rest.alerts.map(\.id.number) == [5])
    }
  }
}
