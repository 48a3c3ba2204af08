internal import HTTPListener
internal import StrictJSON

/// A value of a script and where it stands, so that a fault can be found again.
struct PushScriptPlace {
  /// Nil where the member is not there.
  let value: JSONValue?
  private let pointer: String

  init(_ value: JSONValue) { self.init(value, at: "") }

  private init(_ value: JSONValue?, at pointer: String) {
    self.value = value
    self.pointer = pointer
  }

  func fault(_ fault: String) -> PushScriptError { PushScriptError(place: pointer, fault: fault) }

  /// A member. Names are ours: none needs escaping.
  subscript(name: String) -> PushScriptPlace { .init(value?[name], at: "\(pointer)/\(name)") }

  /// Itself, which is an object of these members and no others: a word that is misspelt is not passed over.
  func object(members: [String]) throws(PushScriptError) -> PushScriptPlace {
    guard let object = value?.object else {
      throw fault(pointer.isEmpty ? "is no JSON object" : "is no object")
    }
    guard object.names.allSatisfy(members.contains) else {
      throw fault("has a member that is none of \(members.joined(separator: ", "))")
    }
    return self
  }

  /// The elements of a member, one at least.
  func list<Element>(
    _ name: String, maximum: Int, _ read: (PushScriptPlace) throws(PushScriptError) -> Element
  ) throws(PushScriptError) -> [Element] {
    let list = self[name]
    guard let elements = list.value?.array, (1...maximum).contains(elements.count) else {
      throw list.fault("is no list of 1 to \(maximum)")
    }
    var all: [Element] = []
    for (index, element) in elements.enumerated() {
      all.append(try read(PushScriptPlace(element, at: "\(list.pointer)/\(index)")))
    }
    return all
  }

  func integer(_ name: String, in range: ClosedRange<Int64>) throws(PushScriptError) -> Int64? {
    let place = self[name]
    guard let value = place.value else { return nil }
    guard let integer = value.integer, range.contains(integer) else {
      throw place.fault("is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, of type: Word.Type
  ) throws(PushScriptError) -> Word? where Word.RawValue == String {
    let place = self[name]
    guard let value = place.value else { return nil }
    guard let word = value.string.flatMap(Word.init) else {
      throw place.fault("is none of \(type.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  func text(_ name: String) throws(PushScriptError) -> String {
    let place = self[name]
    guard let value = place.value else { return "" }
    guard let text = value.string else { throw place.fault("is no string") }
    return text
  }

  /// Header fields: an object of strings.
  func headers(_ name: String) throws(PushScriptError) -> [(name: String, value: String)] {
    let place = self[name]
    guard let value = place.value else { return [] }
    guard let object = value.object else { throw place.fault("is no object of header fields") }
    var headers: [(name: String, value: String)] = []
    for member in object.members {
      guard let text = member.value.string, PushScript.isField(member.name, text) else {
        throw place.fault("has a member that is no header field: a token, and a string on one line")
      }
      headers.append((member.name, text))
    }
    return headers
  }
}

extension PushScript {
  /// Whether both may stand in a head (RFC 9110 §5.1, §5.5): otherwise an answer could be read as two.
  static func isField(_ name: String, _ value: String) -> Bool {
    let separators = Set("\"(),/:;<=>?@[\\]{} ".utf8)
    return !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && !separators.contains($0) }
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
  }
}
