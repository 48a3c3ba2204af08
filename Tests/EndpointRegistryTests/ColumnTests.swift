import Testing

@testable import EndpointRegistry

@Suite("What stands in the store, and how")
struct ColumnTests {
  /// Values that a thief of the file reads: what operators search by, and what they are shown.
  private static let clear: [String: String] = [
    "admin_tokens": "name created_at",
    "alerts": "serial stack number epoch at kind moment wakes",
    "attempts":
      """
    id at stack device purpose alert_first alert_last alert_count push_server outcome status reason milliseconds \
    receipt_at
    """,
    "audience": "stack muted devices",
    "device_tokens": "stack serial device issue revoked_at",
    "devices":
      """
    serial id stack label muted since is_subscribed last_outcome last_attempt last_wake_at last_receipt_at \
    has_receipt gone_at gone_push_server gone_status seen pending_first pending_last pending_count pending_at \
    window_at subscribed_after activation_owed unanswered unanswered_since
    """,
    "endpoint_holds": "until refusals",
    "hook_tokens": "stack name created_at",
    "origin_holds": "origin until",
    "pairings": "stack created_at expires_at device",
    "past_epochs": "stack epoch last",
    "push_servers":
      "stack origin last_attempt last_at last_outcome last_status reason last_accepted_at",
    "stacks":
      "serial id label kinds epoch newest created_at window_seconds quiet newest_waking settled rules",
    "store": "id generation",
    "subscriptions": "device is_temporary stack push_server vapid_key generation",
    "vapid_keys": "serial stack public_key is_current created_at replaced_at",
  ]
  /// Ciphertext under the service key.
  private static let sealed: [String: String] = [
    "alerts": "ref event alert", "store": "data_key", "subscriptions": "endpoint p256dh auth",
    "vapid_keys": "private_key",
  ]
  /// Digests: of random values, or keyed.
  private static let digests: [String: String] = [
    "admin_tokens": "digest", "alerts": "ref_digest", "attempts": "receipt", "device_tokens": "digest",
    "devices": "client", "endpoint_holds": "endpoint_digest", "hook_tokens": "digest",
    "pairings": "digest client", "subscriptions": "endpoint_digest",
  ]

  private static func columns(_ tables: [String: String]) -> [String] {
    tables.flatMap { table, columns in columns.split(separator: " ").map { "\(table).\($0)" } }
  }

  @Test("every column is in the clear, sealed or a digest on purpose")
  func ledger() throws {
    let temporary = try TemporaryStore()
    let found = try temporary.database().all(
      """
      SELECT t.name || '.' || c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
      """
    ) { (name: $0.text(0), type: $0.text(1)) }
    let secret = Self.columns(Self.sealed) + Self.columns(Self.digests)
    #expect(found.map(\.name).sorted() == (Self.columns(Self.clear) + secret).sorted())
    // What is no number and no text is a secret, and the other way round.
    #expect(found.filter { $0.type == "BLOB" }.map(\.name).sorted() == secret.sorted())
  }
}
