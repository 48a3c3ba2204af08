import StrictJSON

extension JSONValue {
  /// The same with every occurrence of some texts replaced, in strings of any depth.
  func replacing(_ texts: [(String, String)]) -> JSONValue {
    switch self {
    case .string(let text):
      .string(texts.reduce(text) { $0.replacing($1.0, with: $1.1) })
    case .array(let elements): .array(elements.map { $0.replacing(texts) })
    case .object(let object):
      .object(JSONObject(uniqueMembers: object.members.map { ($0.name, $0.value.replacing(texts)) }))
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
