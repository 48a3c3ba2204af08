internal import CJansson

/// Owns a tree that jansson made; freed with the handle.
@safe struct JanssonTree: ~Copyable {
  private let root: UnsafeMutablePointer<json_t>

  /// Parses octets whose length and nesting were checked before.
  init(parsing octets: [UInt8]) throws(StrictJSONError) {
    var failure = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    // An empty array may have no address, and jansson wants one even for no octets.
    let parsed =
      unsafe octets.isEmpty
      ? json_loadb("", 0, flags, &failure)
      : octets.withUnsafeBytes { buffer in
        unsafe json_loadb(buffer.baseAddress, buffer.count, flags, &failure)
      }
    guard let parsed = unsafe parsed else { throw StrictJSONError(failure, textLength: octets.count) }
    unsafe self.init(takingOwnershipOf: parsed)
  }

  /// Takes over one reference, as `json_loadb` returns it.
  private init(takingOwnershipOf root: UnsafeMutablePointer<json_t>) { unsafe self.root = root }

  deinit { unsafe json_decref(root) }

  /// The tree as a value of our own; it shares nothing with the tree.
  var value: JSONValue { unsafe Self.value(of: root) }

  /// Recursion is safe here: the nesting was checked before the parser ran.
  private static func value(of node: UnsafeMutablePointer<json_t>) -> JSONValue {
    switch unsafe node.pointee.type {
    case JSON_OBJECT: unsafe .object(object(node))
    case JSON_ARRAY: unsafe .array(array(node))
    case JSON_STRING: unsafe .string(text(json_string_value(node), count: json_string_length(node)))
    case JSON_INTEGER: unsafe .integer(Int64(json_integer_value(node)))
    case JSON_REAL: unsafe .number(json_real_value(node))
    case JSON_TRUE: .bool(true)
    case JSON_FALSE: .bool(false)
    default: .null
    }
  }

  private static func array(_ node: UnsafeMutablePointer<json_t>) -> [JSONValue] {
    let count = unsafe json_array_size(node)
    var elements: [JSONValue] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      if let element = unsafe json_array_get(node, index) { unsafe elements.append(value(of: element)) }
    }
    return elements
  }

  /// "The items are returned in the order in which they were inserted" (jansson 2.8 and later).
  private static func object(_ node: UnsafeMutablePointer<json_t>) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(unsafe json_object_size(node))
    var next = unsafe json_object_iter(node)
    while let item = unsafe next {
      if let value = unsafe json_object_iter_value(item) {
        let name = unsafe text(json_object_iter_key(item), count: json_object_iter_key_len(item))
        members.append(.init(name: name, value: unsafe Self.value(of: value)))
      }
      unsafe next = json_object_iter_next(node, item)
    }
    return JSONObject(distinct: members)
  }

  /// jansson has checked that it is UTF-8.
  private static func text(_ start: UnsafePointer<CChar>?, count: Int) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

extension StrictJSONError {
  /// The one way from jansson's error to ours: its codes decide, never its text.
  fileprivate init(_ failure: json_error_t, textLength: Int) {
    var failure = failure
    let offset = min(max(Int(failure.position), 0), textLength)
    let code = unsafe wake_json_error_code(&failure)
    self =
      switch json_error_code(rawValue: UInt32(truncatingIfNeeded: code)) {
      case json_error_duplicate_key: .duplicateKey
      case json_error_numeric_overflow: .numberOutOfRange(offset: offset)
      case json_error_invalid_utf8: .invalidUTF8(offset: offset)
      case json_error_null_character, json_error_null_byte_in_key: .nulCharacter(offset: offset)
      case json_error_stack_overflow: .tooDeep
      case json_error_out_of_memory: .outOfMemory
      default: .malformed(offset: offset)
      }
  }
}
