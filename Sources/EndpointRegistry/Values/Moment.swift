/// Where an event stands; the raw values are the wire's.
package enum Moment: String, Sendable, CaseIterable {
  case onset, resolved, once
}
