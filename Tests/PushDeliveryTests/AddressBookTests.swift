import Testing

@testable import PushDelivery

@Suite("Names that were resolved a moment ago")
struct AddressBookTests {
  @Test("an answer is kept for half a minute")
  func lifetime() throws {
    let address = try #require(IPAddress(parsing: "192.0.2.1"))
    var book = AddressBook()
    book.keep([address], of: "a.example", at: 1_000)
    #expect(book.addresses(of: "a.example", at: 30_999) == [address])
    #expect(book.addresses(of: "a.example", at: 31_000) == nil)
    #expect(book.addresses(of: "b.example", at: 1_000) == nil)
  }

  @Test("it does not grow without bound")
  func bounded() throws {
    let address = try #require(IPAddress(parsing: "192.0.2.1"))
    var book = AddressBook()
    for number in 0..<10_000 { book.keep([address], of: "h\(number)", at: 0) }
    let kept = (0..<10_000).filter { book.addresses(of: "h\($0)", at: 0) != nil }
    #expect(kept.count <= AddressBook.entriesMaximum)
    #expect(kept.last == 9_999)
  }
}
