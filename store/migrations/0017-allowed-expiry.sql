-- The expiry that a canceller was allowed with, whatever that of the key that allowed it.
ALTER TABLE cancellers ADD COLUMN allowed_seconds bigint;
