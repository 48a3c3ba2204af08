internal import EndpointRegistry
internal import KindCatalogue
internal import StrictJSON

/// Reads the members of a request's object; every refusal names the member.
///
/// `null` and absence are the same here; a merge patch, where they differ, asks with ``isNull(_:)``.
struct Fields {
  let object: JSONObject
  /// The JSON Pointer of the object itself.
  var pointer = ""

  func has(_ name: String) -> Bool { object[name] != nil }

  func isNull(_ name: String) -> Bool { object[name] == .null }

  func value(_ name: String) -> JSONValue? {
    guard let value = object[name], value != .null else { return nil }
    return value
  }

  /// A text of 1 to `octets` octets.
  func string(_ name: String, octets: Int) throws(Problem) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= octets else {
      throw invalid(name, "must be a string of 1 to \(octets) octets")
    }
    return text
  }

  /// A text of 1 to `octets` octets that people read on one line: without control characters.
  func line(_ name: String, octets: Int) throws(Problem) -> String? {
    guard let text = try string(name, octets: octets) else { return nil }
    guard text.unicodeScalars.allSatisfy(\.isOnOneLine) else {
      throw invalid(name, "must be one line, without control characters")
    }
    return text
  }

  func bool(_ name: String) throws(Problem) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { throw invalid(name, "must be true or false") }
    return bool
  }

  func object(_ name: String) throws(Problem) -> Fields? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { throw invalid(name, "must be an object") }
    return Fields(object: object, pointer: "\(pointer)/\(name)")
  }

  /// A list of kinds, without doubles and in list order.
  func kinds(_ name: String) throws(Problem) -> [Kind]? {
    guard let value = value(name) else { return nil }
    guard case .array(let values) = value else { throw invalid(name, "must be a list of kinds") }
    var kinds: [Kind] = []
    for (index, value) in values.enumerated() {
      guard case .string(let text) = value, let kind = Kind(exactly: text) else {
        throw Problem.kindUnknown(field: "\(pointer)/\(name)/\(index)")
      }
      kinds.append(kind)
    }
    return Kind.inListOrder(kinds)
  }

  func missing(_ name: String, _ remedy: String) -> Problem {
    Problem(.missingField, "`\(name)` is missing: \(remedy).", field: "\(pointer)/\(name)")
  }

  func invalid(_ name: String, _ rule: String) -> Problem {
    Problem(.invalidField, "`\(name)` \(rule).", field: "\(pointer)/\(name)")
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it as a character of a line: not a control character, and no line's end.
  package var isOnOneLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

extension Problem {
  /// A word that is none of the closed list; the answer lists the six.
  static func kindUnknown(field: String) -> Problem {
    var problem = Problem(
      .kindUnknown, "Name one of the kinds in `allowed`, exactly as written.", field: field)
    problem.extensions = [("allowed", .array(Kind.allCases.map { .string($0.name) }))]
    return problem
  }
}
