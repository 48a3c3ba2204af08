import KindCatalogue
import Testing

@Suite("The closed list of kinds")
struct KindTests {
  @Test("there are six kinds, in the order that the contract gives")
  func list() {
    #expect(
      Kind.allCases.map(\.name) == ["problem", "completion", "update", "backup", "request", "member"])
    #expect(Kind.allCases.sorted() == Kind.allCases)
  }

  @Test("every kind reaches the operator, by its type", arguments: Kind.allCases)
  func audience(kind: Kind) {
    #expect(Kind.Recipient.self == Operator.self)
    #expect(kind.audience == "operator")
    #expect(!kind.summary.isEmpty && !kind.summary.contains("\n"))
  }

  @Test("a name is matched exactly", arguments: Kind.allCases)
  func exactly(kind: Kind) {
    #expect(Kind(exactly: kind.name) == kind)
  }

  @Test(
    "anything else names no kind",
    arguments: [
      "", " problem", "problem ", "problem\n", "Problem", "PROBLEM", "problems", "probl\u{65}\u{301}m",
      "problem\0", "p\u{200B}roblem", "Kind.problem", "0", "вackup", "completed", "alert",
    ])
  func nothingElse(name: String) {
    #expect(Kind(exactly: name) == nil)
  }

  @Test("a list is kept in list order and without doubles")
  func inListOrder() {
    #expect(Kind.inListOrder([.member, .backup, .problem, .backup]) == [.problem, .backup, .member])
    #expect(Kind.inListOrder([]) == [])
  }

  @Test("the operator may be named, members may not, and other words are no audience")
  func demand() throws {
    try Operator.demand("operator")
    #expect(throws: AudienceRefusal.members) { try Operator.demand("member") }
    for word in ["", "Operator", "members", "everyone"] {
      #expect(throws: AudienceRefusal.unknown) { try Operator.demand(word) }
    }
  }
}

@Suite("The catalogue version (mv)")
struct CatalogueVersionTests {
  /// Made with `printf 'problem\nbackup' | sha256sum | cut -c1-8` and its like.
  @Test(
    "it is the head of SHA-256 over the names joined by LF",
    arguments: [
      (Kind.allCases, "6e73e2b1"),
      ([Kind.problem, .backup], "8c50d92c"),
      ([Kind.problem], "47a49356"),
      ([], "e3b0c442"),
    ])
  func digest(kinds: [Kind], version: String) {
    #expect(CatalogueVersion(kinds).text == version)
  }

  @Test("order and doubles do not change it, a kind more or less does")
  func equality() {
    #expect(CatalogueVersion([.backup, .problem, .backup]) == CatalogueVersion([.problem, .backup]))
    #expect(CatalogueVersion([.problem]) != CatalogueVersion([.problem, .backup]))
  }
}
