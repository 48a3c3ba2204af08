import StrictJSON
import Testing
import WakeServer

/// The description that the service serves, and as much of JSON Schema as it uses: what it does not know fails.
struct APIDescription {
  let document: JSONValue

  /// What the document may hold, which is more than a request may.
  static let limits = JSONLimits(octets: 1 << 20, depth: 32)

  /// Asks a service for it.
  init(of service: TestService) async throws {
    let reply = try await service.send("GET", "/v1/openapi.json")
    document = try StrictJSON.parse(reply.body, limits: Self.limits)
  }

  /// Each method and path, as `GET /healthz`.
  var operations: Set<String> {
    let paths = document["paths"]?.object?.members ?? []
    return Set(
      paths.flatMap { path in
        (path.value.object?.names ?? []).filter { $0 != "parameters" }
          .map { "\($0.uppercased()) \(path.name)" }
      })
  }

  /// A schema of the components.
  func schema(_ name: String) throws -> JSONValue {
    try #require(document["components"]?["schemas"]?[name], "no schema \(name)")
  }

  /// The words that a schema lists.
  func words(_ name: String) throws -> [String] {
    try #require(try schema(name)["enum"]?.array).compactMap(\.string)
  }

  /// What is wrong with an answer to an operation; empty where it is as described.
  func faults(_ method: String, _ path: String, _ reply: Reply) -> [String] {
    let answers = document["paths"]?[path]?[method.lowercased()]?["responses"]
    guard let answer = answers?["\(reply.status)"].map(resolved) else {
      return ["\(method) \(path): \(reply.status) is not described"]
    }
    let headers = answer["headers"]?.object?.members.filter { $0.value["required"] == true } ?? []
    let missing = headers.filter { reply.header($0.name) == nil }.map { "no header field \($0.name)" }
    guard let content = answer["content"]?.object else {
      return missing + (reply.body.isEmpty ? [] : ["a body where none is described"])
    }
    guard let type = reply.header("Content-Type"), let schema = content[type]?["schema"] else {
      return missing + ["the content type is not described"]
    }
    guard let value = try? StrictJSON.parse(reply.body, limits: Self.limits) else {
      return missing + ["the body is not JSON"]
    }
    return missing + faults(of: value, by: schema, at: "")
  }

  /// What is wrong with a value; empty where it is as the schema says.
  func faults(of value: JSONValue, by schema: JSONValue, at pointer: String) -> [String] {
    (resolved(schema).object?.members ?? []).flatMap { rule in
      faults(of: value, rule.name, rule.value, in: resolved(schema), at: pointer)
    }
  }

  private func faults(
    of value: JSONValue, _ rule: String, _ bound: JSONValue, in schema: JSONValue, at pointer: String
  ) -> [String] {
    func unless(_ holds: Bool?) -> [String] { holds == true ? [] : ["\(pointer): \(rule)"] }
    switch rule {
    case "type":
      let types = bound.array?.compactMap(\.string) ?? [bound.string ?? ""]
      return unless(types.contains { Self.isOf($0, value) })
    case "enum": return unless(bound.array?.contains(value))
    case "const": return unless(bound == value)
    case "pattern":
      guard let text = value.string, let expression = try? Regex(bound.string ?? "(") else {
        return unless(value.string == nil)
      }
      return unless(text.contains(expression))
    case "minimum": return value.integer == nil ? [] : unless(value.integer ?? 0 >= bound.integer ?? 0)
    case "maximum": return value.integer == nil ? [] : unless(value.integer ?? 0 <= bound.integer ?? 0)
    case "minItems": return value.array == nil ? [] : unless(value.array?.count ?? 0 >= bound.integer ?? 0)
    case "maxItems": return value.array == nil ? [] : unless(value.array?.count ?? 0 <= bound.integer ?? 0)
    case "uniqueItems":
      let words = value.array?.compactMap(\.string) ?? []
      return unless(Set(words).count == words.count)
    case "required":
      guard let object = value.object else { return [] }
      return (bound.array ?? []).compactMap(\.string).filter { object[$0] == nil }.map {
        "\(pointer)/\($0): missing"
      }
    case "properties":
      return (value.object?.members ?? []).flatMap { member in
        bound[member.name].map { faults(of: member.value, by: $0, at: "\(pointer)/\(member.name)") } ?? []
      }
    case "items":
      return (value.array ?? []).enumerated().flatMap { index, element in
        faults(of: element, by: bound, at: "\(pointer)/\(index)")
      }
    case "allOf": return (bound.array ?? []).flatMap { faults(of: value, by: $0, at: pointer) }
    case "oneOf":
      return unless((bound.array ?? []).filter { faults(of: value, by: $0, at: pointer).isEmpty }.count == 1)
    case "format": return unless(bound == "date-time" && value.string?.hasSuffix("Z") == true)
    case "description", "examples", "minLength", "maxLength": return []
    default: return ["\(pointer): the schema's \(rule) is not known here"]
    }
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "integer": value.integer != nil
    case "boolean": value.bool != nil
    case "null": value.isNull
    default: false
    }
  }

  /// What a reference leads to, with what stands beside it.
  private func resolved(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    let target = reference.split(separator: "/").dropFirst().reduce(document as JSONValue?) {
      $0?[String($1)]
    }
    return target.map(resolved) ?? .null
  }

  /// Every answer to an operation, by the schemas' names of problems.
  func statuses(of method: String, _ path: String) -> Set<String> {
    Set(document["paths"]?[path]?[method.lowercased()]?["responses"]?.object?.names ?? [])
  }
}
