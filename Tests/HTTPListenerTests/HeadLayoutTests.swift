import Testing

@testable import HTTPListener

@Suite("Where the parts of a head lie")
struct HeadLayoutTests {
  /// The layout of `GET /a HTTP/1.1`, `Host: a`, `X:b` and the empty line, at address 1000.
  private func layout() -> HeadLayout {
    HeadLayout(
      method: .init(start: 1000, count: 3), target: .init(start: 1004, count: 2),
      version: .init(start: 1007, count: 8),
      fields: [
        (.init(start: 1017, count: 4), .init(start: 1023, count: 1)),
        (.init(start: 1026, count: 1), .init(start: 1028, count: 1)),
      ],
      head: .init(start: 1000, count: 33))
  }

  @Test("parts that fill the head are seamless")
  func seamless() {
    #expect(layout().isSeamless)
    var bare = layout()
    bare.fields = []
    bare.head.count = 19
    #expect(bare.isSeamless)
  }

  @Test("white space between colon and value is no seam")
  func whiteSpace() {
    var layout = layout()
    layout.fields[1].value.start += 2
    layout.head.count += 2
    #expect(layout.isSeamless)
  }

  @Test("an octet more or less anywhere is a seam", arguments: [-1, 1])
  func shifted(_ shift: Int) {
    let changes: [(inout HeadLayout) -> Void] = [
      { $0.method.count += shift }, { $0.target.count += shift }, { $0.version.count += shift },
      { $0.head.count += shift }, { $0.fields[0].value.count += shift },
      { $0.fields[1].value.count += shift },
      { $0.fields[0].name.start &+= UInt(bitPattern: shift) },
      { $0.fields[1].name.start &+= UInt(bitPattern: shift) },
    ]
    for change in changes {
      var changed = layout()
      change(&changed)
      #expect(!changed.isSeamless)
    }
  }

  @Test("a name that was moved, as for a folded line, is a seam")
  func moved() {
    var layout = layout()
    layout.fields[0].name = .init(start: 5000, count: 5)
    #expect(!layout.isSeamless)
  }

  @Test("a value before its name, or a head whose size is unknown, is a seam")
  func disordered() {
    var disordered = layout()
    disordered.fields[0].value.start = 1010
    #expect(!disordered.isSeamless)
    var unknown = layout()
    unknown.head.count = 0
    #expect(!unknown.isSeamless)
  }

  @Test("addresses at the end of memory do not trap")
  func overflow() {
    var layout = layout()
    layout.fields[1].value = .init(start: .max, count: .max)
    #expect(!layout.isSeamless)
  }
}
