extension Schema {
  /// What is still to be told to whom, receipts, a stack's window and quiet kinds, and what its push servers answer.
  /// Nobody is woken by the step: what was raised before it counts as told.
  static let version3 = """
    ALTER TABLE stacks ADD COLUMN window_seconds INTEGER;               -- NULL: the service's
    ALTER TABLE stacks ADD COLUMN quiet TEXT NOT NULL DEFAULT '';       -- as kinds: they wake nobody unless asked to
    ALTER TABLE stacks ADD COLUMN newest_waking INTEGER NOT NULL DEFAULT 0;   -- number of the newest alert that wakes
    ALTER TABLE stacks ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;   -- a whole fan-out has been through up to it
    ALTER TABLE stacks ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;     -- counts changes of who may be woken when
    UPDATE stacks SET newest_waking = newest, settled = newest;
    CREATE TRIGGER rules_of_windows AFTER UPDATE OF window_seconds ON stacks
      WHEN OLD.window_seconds IS NOT NEW.window_seconds BEGIN
      UPDATE stacks SET rules = rules + 1 WHERE serial = NEW.serial;
    END;
    CREATE TRIGGER rules_of_mutes AFTER UPDATE OF muted ON devices WHEN OLD.muted <> NEW.muted BEGIN
      UPDATE stacks SET rules = rules + 1 WHERE serial = NEW.stack;
    END;

    ALTER TABLE devices ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;     -- alerts up to it were decided on
    ALTER TABLE devices ADD COLUMN pending_first INTEGER;               -- numbers of alerts that it is to be told of
    ALTER TABLE devices ADD COLUMN pending_last INTEGER;
    ALTER TABLE devices ADD COLUMN pending_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE devices ADD COLUMN pending_at INTEGER;                  -- time of the newest of them
    ALTER TABLE devices ADD COLUMN window_at INTEGER;                   -- when its last wake for alerts was begun
    ALTER TABLE devices ADD COLUMN subscribed_after INTEGER NOT NULL DEFAULT 0;
      -- attempts after this one went to the subscription in use
    ALTER TABLE devices ADD COLUMN activation_owed INTEGER NOT NULL DEFAULT 0;
      -- 1: its subscription is new, and no activation wake was begun
    ALTER TABLE devices ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
      -- accepted wakes since the last receipt, of the subscription in use
    ALTER TABLE devices ADD COLUMN unanswered_since INTEGER;            -- when the first of them was begun
    UPDATE devices SET subscribed_after = last_attempt,
      seen = (SELECT newest FROM stacks WHERE serial = devices.stack);
    CREATE INDEX devices_pending ON devices (stack, id) WHERE pending_count > 0 AND is_subscribed = 1;

    CREATE INDEX devices_owed ON devices (id) WHERE activation_owed = 1;

    CREATE INDEX attempts_unanswered ON attempts (device, receipt)
      WHERE receipt IS NOT NULL AND receipt_at IS NULL;

    -- What the newest attempt came to that a push server answered, per stack.
    CREATE TABLE push_servers (
      stack INTEGER NOT NULL REFERENCES stacks ON DELETE CASCADE,
      origin TEXT NOT NULL,
      last_attempt INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      last_outcome TEXT NOT NULL,
      last_status INTEGER,
      reason TEXT,
      last_accepted_at INTEGER,
      PRIMARY KEY (stack, origin)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_servers_by_time ON push_servers (last_at);
    CREATE INDEX subscriptions_by_push_server ON subscriptions (stack, push_server);
    """
}
