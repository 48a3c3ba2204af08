extension Schema {
  /// Columns that hold `nonce ‖ ciphertext ‖ tag` are marked sealed.
  static let version1 = """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      data_key BLOB NOT NULL,                 -- sealed, by the service key
      generation INTEGER NOT NULL             -- counts changes of subscriptions, store-wide
    ) STRICT;

    CREATE TABLE stacks (
      serial INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      label TEXT NOT NULL,
      kinds TEXT NOT NULL,                    -- names, in list order, joined by commas
      epoch TEXT NOT NULL,
      newest INTEGER NOT NULL,                -- number of the newest alert
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX stacks_by_label ON stacks (label);

    CREATE TABLE vapid_keys (
      serial INTEGER PRIMARY KEY,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      public_key TEXT NOT NULL,
      private_key BLOB NOT NULL,              -- sealed
      is_current INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (stack, public_key)
    ) STRICT;
    CREATE UNIQUE INDEX vapid_keys_current ON vapid_keys (stack) WHERE is_current = 1;

    CREATE TABLE hook_tokens (
      digest BLOB PRIMARY KEY,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (stack, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE admin_tokens (
      digest BLOB PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE pairings (
      digest BLOB PRIMARY KEY,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      client BLOB,                            -- keyed digest of the client that used it
      device TEXT                             -- what it registered: where that device is no more, the code has ended
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pairings_by_expiry ON pairings (expires_at);

    -- A device's tokens outlive it, revoked, so that its companion learns to pair again.
    CREATE TABLE device_tokens (
      digest BLOB PRIMARY KEY,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      serial INTEGER NOT NULL,                -- its device's, which no other device ever gets
      device TEXT NOT NULL,
      issue INTEGER NOT NULL,                 -- counts per device: the first use of one ends all below
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_tokens_by_device ON device_tokens (serial, issue);
    CREATE INDEX device_tokens_revoked ON device_tokens (device) WHERE revoked_at IS NOT NULL;

    CREATE TABLE devices (
      serial INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      client BLOB NOT NULL,                   -- keyed digest
      label TEXT,
      muted TEXT NOT NULL,                    -- as stacks.kinds
      since INTEGER NOT NULL,
      is_subscribed INTEGER NOT NULL DEFAULT 0,   -- kept by triggers
      last_outcome TEXT,                      -- of the last completed attempt to the subscription in use
      last_attempt INTEGER NOT NULL DEFAULT 0,    -- outcomes of attempts up to this one no longer count
      last_wake_at INTEGER,
      last_receipt_at INTEGER,
      has_receipt INTEGER NOT NULL DEFAULT 0, -- since the subscription in use was given
      gone_at INTEGER,
      gone_push_server TEXT,
      gone_status INTEGER,
      UNIQUE (stack, client)
    ) STRICT;
    CREATE INDEX devices_by_stack ON devices (stack, id);

    CREATE TABLE subscriptions (
      device INTEGER NOT NULL REFERENCES devices ON DELETE CASCADE,
      is_temporary INTEGER NOT NULL,          -- 1: the stand-in, which is used while it is there
      stack INTEGER NOT NULL,                 -- its device's
      endpoint_digest BLOB NOT NULL,          -- keyed digest
      endpoint BLOB NOT NULL,                 -- sealed
      p256dh BLOB NOT NULL,                   -- sealed
      auth BLOB NOT NULL,                     -- sealed
      push_server TEXT NOT NULL,
      vapid_key INTEGER NOT NULL REFERENCES vapid_keys,
      generation INTEGER NOT NULL,
      PRIMARY KEY (device, is_temporary),
      UNIQUE (endpoint_digest, stack)
    ) STRICT;
    CREATE INDEX subscriptions_by_vapid_key ON subscriptions (vapid_key);

    -- How many devices with a subscription mute what: an alert's count of devices without a scan of them.
    CREATE TABLE audience (
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      muted TEXT NOT NULL,
      devices INTEGER NOT NULL,
      PRIMARY KEY (stack, muted)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER subscription_given AFTER INSERT ON subscriptions BEGIN
      UPDATE devices SET is_subscribed = 1 WHERE serial = NEW.device AND is_subscribed = 0;
    END;
    CREATE TRIGGER subscription_taken AFTER DELETE ON subscriptions BEGIN
      UPDATE devices SET is_subscribed = 0
        WHERE serial = OLD.device AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE device = OLD.device);
    END;
    CREATE TRIGGER audience_left AFTER UPDATE OF muted, is_subscribed ON devices WHEN OLD.is_subscribed = 1 BEGIN
      UPDATE audience SET devices = devices - 1 WHERE stack = OLD.stack AND muted = OLD.muted;
    END;
    CREATE TRIGGER audience_removed AFTER DELETE ON devices WHEN OLD.is_subscribed = 1 BEGIN
      UPDATE audience SET devices = devices - 1 WHERE stack = OLD.stack AND muted = OLD.muted;
    END;
    CREATE TRIGGER audience_joined AFTER UPDATE OF muted, is_subscribed ON devices WHEN NEW.is_subscribed = 1 BEGIN
      INSERT INTO audience (stack, muted, devices) VALUES (NEW.stack, NEW.muted, 1)
        ON CONFLICT (stack, muted) DO UPDATE SET devices = devices + 1;
    END;

    CREATE TABLE alerts (
      serial INTEGER PRIMARY KEY,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      number INTEGER NOT NULL,
      epoch TEXT NOT NULL,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      moment TEXT,
      wakes INTEGER NOT NULL,
      ref_digest BLOB,                        -- keyed digest
      ref BLOB,                               -- sealed
      event BLOB,                             -- sealed
      alert BLOB,                             -- sealed
      UNIQUE (stack, number)
    ) STRICT;
    CREATE INDEX alerts_by_ref ON alerts (stack, ref_digest, number) WHERE ref_digest IS NOT NULL;

    CREATE TABLE attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      device TEXT NOT NULL,                   -- it may be removed before its attempts are
      purpose TEXT NOT NULL,
      alert_first TEXT,
      alert_last TEXT,
      alert_count INTEGER NOT NULL,
      receipt BLOB,                           -- keyed digest
      push_server TEXT,
      outcome TEXT NOT NULL,
      status INTEGER,
      reason TEXT,
      milliseconds INTEGER,
      receipt_at INTEGER
    ) STRICT;
    CREATE INDEX attempts_by_stack ON attempts (stack, id);
    CREATE INDEX attempts_by_device ON attempts (device, id);
    """
}
