import StrictJSON

extension JSONValue {
  /// The same with every string changed, at any depth.
  func mappingStrings(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.mappingStrings(change) })
    case .object(let object):
      .object(JSONObject(uniqueMembers: object.members.map { ($0.name, $0.value.mappingStrings(change)) }))
    case .null, .bool, .integer, .number: self
    }
  }

  /// The same as people read it: a member a line.
  func indented(by depth: Int = 0) -> String {
    let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.indented(by: depth + 1) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    case .object(let object) where !object.members.isEmpty:
      let lines = object.members.map { member in
        "\(inner)\(JSONValue.string(member.name).text): \(member.value.indented(by: depth + 1))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    default: return text
    }
  }
}
