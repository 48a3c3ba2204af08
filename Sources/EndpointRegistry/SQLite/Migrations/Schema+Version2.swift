extension Schema {
  /// Keys that were replaced, epochs before a restore, and what sweeping looks rows up by.
  static let version2 = """
    ALTER TABLE vapid_keys ADD COLUMN replaced_at INTEGER;  -- when another one became the current one

    -- Epochs that end where a backup was restored: up to `last`, their cursors are as good as the newest epoch's.
    CREATE TABLE past_epochs (
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      epoch TEXT NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (stack, epoch)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX vapid_keys_replaced ON vapid_keys (replaced_at) WHERE replaced_at IS NOT NULL;
    CREATE INDEX devices_gone ON devices (gone_at) WHERE gone_at IS NOT NULL;
    CREATE INDEX device_tokens_by_revocation ON device_tokens (revoked_at) WHERE revoked_at IS NOT NULL;
    """
}
