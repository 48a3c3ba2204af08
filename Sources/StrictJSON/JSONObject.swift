/// A JSON object that keeps the order of its members. Equal objects have equal members in equal order.
package struct JSONObject: Sendable, Equatable {
  /// One member; its name is unique in the object.
  package struct Member: Sendable, Equatable {
    package let name: String
    package var value: JSONValue
  }

  /// The members, in the order in which they were written or added.
  package private(set) var members: [Member]

  /// An object without members.
  package init() { members = [] }

  /// Takes members whose names are known to differ: the parser has refused duplicates.
  init(distinct members: [Member]) { self.members = members }

  /// An object of the given members; two equal names are our own bug and trap.
  package init(uniqueMembers elements: [(String, JSONValue)]) {
    var names = Set<String>(minimumCapacity: elements.count)
    members = elements.map { name, value in
      precondition(names.insert(name).inserted, "two members of one name in an object of our own")
      return Member(name: name, value: value)
    }
  }

  /// The names in order.
  package var names: [String] { members.map(\.name) }
  /// The number of members.
  package var count: Int { members.count }
  /// Whether there are no members.
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a member; setting replaces it in its place or adds it at the end, nil removes it.
  /// Names are compared code point for code point, without Unicode normalisation (RFC 8259 §8.3).
  package subscript(name: String) -> JSONValue? {
    get { index(of: name).map { members[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object; two equal names are our own bug and trap.
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(uniqueMembers: elements) }
}
