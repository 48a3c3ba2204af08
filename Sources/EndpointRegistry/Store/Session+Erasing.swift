/// What happens to an endpoint that is gone.
extension Session {
  /// Erases it, with its keys, from every row that still holds it and did not change since; the devices that lost theirs.
  func erase(_ erasure: Erasure, at: Int64) throws(RegistryError) -> [ErasedEndpoint] {
    let holders = try database.all(
      """
      SELECT d.serial, d.id, d.stack FROM subscriptions u JOIN devices d ON d.serial = u.device
      WHERE u.endpoint_digest = ? AND u.generation <= ? ORDER BY d.id
      """,
      .octets(erasure.endpointDigest), .integer(erasure.generation), read: Self.deviceRow)
    for holder in holders {
      // Where a stand-in dies, the primary is in use again, and nothing is known of its delivery.
      _ = try watchingSubscription(of: holder) { () throws(RegistryError) in
        try database.run(
          "DELETE FROM subscriptions WHERE device = ? AND endpoint_digest = ?",
          .integer(holder.serial), .octets(erasure.endpointDigest))
      }
      try database.run(
        """
        UPDATE devices SET gone_at = ?, gone_push_server = ?, gone_status = ?
        WHERE serial = ? AND is_subscribed = 0
        """,
        .integer(at), .text(erasure.pushServer), .integer(erasure.status), .integer(holder.serial))
    }
    try liftHold(of: erasure.endpointDigest)
    return holders.map { ErasedEndpoint(device: $0.id, pushServer: erasure.pushServer) }
  }
}
