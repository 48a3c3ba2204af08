internal import KindCatalogue

/// Columns as the registry's own values. What does not parse was not written by us: the file is damaged.
extension Statement {
  /// A stack's id.
  func stackID(_ column: Int32) throws(RegistryError) -> StackID {
    try parsed(StackID(text(column)), "a stack's id")
  }

  /// A device's id.
  func deviceID(_ column: Int32) throws(RegistryError) -> DeviceID {
    try parsed(DeviceID(text(column)), "a device's id")
  }

  /// An alert's id; nil for NULL.
  func optionalAlertID(_ column: Int32) throws(RegistryError) -> AlertID? {
    guard let text = optionalText(column) else { return nil }
    return try parsed(AlertID(text), "an alert's id")
  }

  /// One of a closed list, by its raw value.
  func value<Value: RawRepresentable<String>>(
    _ column: Int32, _ type: Value.Type
  ) throws(RegistryError) -> Value {
    try parsed(Value(rawValue: text(column)), "\(Value.self)")
  }

  /// One of a closed list, by its raw value; nil for NULL.
  func optionalValue<Value: RawRepresentable<String>>(
    _ column: Int32, _ type: Value.Type
  ) throws(RegistryError) -> Value? {
    guard let text = optionalText(column) else { return nil }
    return try parsed(Value(rawValue: text), "\(Value.self)")
  }

  /// A list of kinds.
  func kinds(_ column: Int32) throws(RegistryError) -> [Kind] {
    var kinds: [Kind] = []
    for name in text(column).split(separator: ",") {
      kinds.append(try parsed(Kind(exactly: String(name)), "a kind"))
    }
    return kinds
  }

  /// A VAPID public key.
  func vapidPublicKey(_ column: Int32) throws(RegistryError) -> String {
    let text = text(column)
    return try parsed(VAPIDPublicKeyText.isPoint(text) ? text : nil, "a VAPID public key")
  }

  private func parsed<Value>(_ value: Value?, _ what: String) throws(RegistryError) -> Value {
    guard let value else { throw .damaged("a row where \(what) was expected") }
    return value
  }
}

extension SQLiteValue {
  /// A list of kinds, in list order: equal lists are equal text.
  static func kinds(_ kinds: [Kind]) -> SQLiteValue {
    .text(Kind.inListOrder(kinds).map(\.name).joined(separator: ","))
  }
}
