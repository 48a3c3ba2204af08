/// Reads JSON (RFC 8259) from strangers: bounded before it is parsed, refused where it is ambiguous.
package enum StrictJSON {
  /// The value of one JSON text in UTF-8 without a byte order mark.
  ///
  /// Refused are: texts beyond `limits`, two members of one name, U+0000, lone surrogates, integers beyond
  /// 64 bits, reals beyond a double, and everything that RFC 8259 does not allow.
  package static func parse(
    _ octets: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(StrictJSONError) -> JSONValue {
    guard octets.count <= limits.octets else { throw .tooLarge }
    try JSONScan.check(octets, depth: limits.depth)
    return try JanssonTree(parsing: octets).value
  }
}
