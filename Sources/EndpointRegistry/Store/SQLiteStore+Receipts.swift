internal import CryptoPrimitives

extension SQLiteStore {
  @discardableResult
  package func receive(
    _ receipt: String, from device: DeviceID, at: Int64
  ) async throws(RegistryError) -> Int64? {
    // What cannot be one of ours is looked up nowhere.
    guard receipt.utf8.count == receiptLength, Base64URL.decode(receipt) != nil else { return nil }
    let digest = keys.receiptDigest(receipt)
    // A reader first: a wrong one, or one that is handed back twice, costs the writer nothing.
    let found = try await read { session throws(RegistryError) in
      try session.unansweredAttempt(digest, of: device)
    }
    guard found != nil else { return nil }
    return try await write { session throws(RegistryError) in
      guard let attempt = try session.unansweredAttempt(digest, of: device) else { return nil }
      try session.answer(attempt.id, of: device, at: at)
      return attempt.begunAt
    }
  }
}

/// Characters of a receipt: 16 octets in base64url.
private let receiptLength = 22
/// Wakes that are counted anew after a receipt: far more than those that make a device silent, and few enough that
/// a companion that hands back old receipts one by one does not hold the writer up.
private let countedMaximum = 1_000

extension Session {
  /// The attempt to this device that carried this receipt, if nothing has answered it yet.
  fileprivate func unansweredAttempt(
    _ digest: [UInt8], of device: DeviceID
  ) throws(RegistryError) -> (id: AttemptID, begunAt: Int64)? {
    try database.first(
      """
      SELECT id, at FROM attempts INDEXED BY attempts_unanswered
      WHERE device = ? AND receipt = ? AND receipt IS NOT NULL AND receipt_at IS NULL
      """,
      .text(device.text), .octets(digest)
    ) { row in (id: row.integer(0), begunAt: row.integer(1)) }
  }

  /// The companion has got this wake: all that its earlier ones had to say has arrived as well.
  fileprivate func answer(_ attempt: AttemptID, of device: DeviceID, at: Int64) throws(RegistryError) {
    try database.run(
      """
      UPDATE attempts INDEXED BY attempts_unanswered SET receipt_at = ?
      WHERE device = ? AND id <= ? AND receipt IS NOT NULL AND receipt_at IS NULL
      """,
      .integer(at), .text(device.text), .integer(attempt))
    // An outcome up to this attempt, whatever the push server said, is refuted by what arrived.
    try database.run(
      """
      UPDATE devices SET last_receipt_at = ?2, has_receipt = max(has_receipt, subscribed_after < ?1),
        last_outcome = CASE WHEN last_attempt <= ?1 THEN NULL ELSE last_outcome END,
        last_attempt = max(last_attempt, ?1)
      WHERE id = ?3
      """,
      .integer(attempt), .integer(at), .text(device.text))
    try recountUnanswered(of: device, after: attempt)
  }

  private func recountUnanswered(of device: DeviceID, after attempt: AttemptID) throws(RegistryError) {
    try database.run(
      """
      UPDATE devices SET (unanswered, unanswered_since) = (
        SELECT count(*), min(at) FROM (
          SELECT at FROM attempts WHERE device = ?1 AND id > max(?2, devices.subscribed_after)
            AND outcome = ?3 AND receipt IS NOT NULL AND receipt_at IS NULL ORDER BY id LIMIT ?4))
      WHERE id = ?1
      """,
      .text(device.text), .integer(attempt), .text(AttemptOutcome.accepted.rawValue),
      .limit(countedMaximum))
  }
}
