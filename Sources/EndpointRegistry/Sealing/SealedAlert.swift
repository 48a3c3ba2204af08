internal import CryptoPrimitives
internal import KindCatalogue

/// An alert as the store keeps it.
struct SealedAlert: Sendable {
  let stack: StackID
  let id: AlertID
  let at: Int64
  let kind: Kind
  let moment: Moment?
  let ref: [UInt8]?
  let event: [UInt8]?
  let alert: [UInt8]?

  /// Seals what is not to be read by whoever has the file alone.
  static func seal(
    _ alert: NewAlert, id: AlertID, of stack: StackID, at: Int64, keys: StoreKeys, random: RandomOctets
  ) throws(RegistryError) -> SealedAlert {
    func seal(_ octets: [UInt8]?, _ column: String) throws(RegistryError) -> [UInt8]? {
      guard let octets else { return nil }
      return try keys.seal(octets, place(stack, id, column), random: random)
    }
    return SealedAlert(
      stack: stack, id: id, at: at, kind: alert.kind, moment: alert.moment,
      ref: try seal(alert.ref.map { Array($0.utf8) }, "ref"),
      event: try seal(alert.event.map { Array($0.utf8) }, "event"), alert: try seal(alert.alert, "alert"))
  }

  /// The alert; a member that cannot be opened is nil and makes it faulty, so that the others can still be read.
  func open(_ keys: StoreKeys) -> Alert {
    var isFaulty = false
    func text(_ sealed: [UInt8]?, _ column: String) -> String? {
      guard let sealed else { return nil }
      let text = try? keys.openText(sealed, Self.place(stack, id, column))
      isFaulty = isFaulty || text == nil
      return text
    }
    let ref = text(ref, "ref")
    let event = text(event, "event")
    let alert = alert.flatMap { try? keys.open($0, Self.place(stack, id, "alert")) }
    isFaulty = isFaulty || (alert == nil && self.alert != nil)
    return Alert(
      id: id, at: at, kind: kind, event: event, ref: ref, moment: moment, alert: alert, isFaulty: isFaulty)
  }

  private static func place(_ stack: StackID, _ id: AlertID, _ column: String) -> SealedPlace {
    SealedPlace("alerts", "\(stack.text)/\(id.text)", column)
  }
}
