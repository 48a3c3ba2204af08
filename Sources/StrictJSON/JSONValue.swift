/// One JSON value (RFC 8259 §3). Integers that fit in 64 bits keep their digits.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent.
  case integer(Int64)
  /// A number written with a fraction or an exponent; always finite when it was parsed.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

// MARK: - Reading

extension JSONValue {
  /// Whether this is `null`.
  package var isNull: Bool { self == .null }

  /// The truth value, or nil where this is something else.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer, or nil where this is something else; `1.0` is not an integer.
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The number, integer or real, or nil where this is something else.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The string, or nil where this is something else.
  package var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or nil where this is something else.
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The object, or nil where this is something else.
  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member `name`, or nil where there is none or this is no object.
  package subscript(name: String) -> JSONValue? { object?[name] }
}

// MARK: - Writing down

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; two equal names are our own bug and trap.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(uniqueMembers: elements))
  }
}
