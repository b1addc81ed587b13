-- The server and timeline that the log was last written on: `<system identifier>/<timeline>`. Null:
-- not recorded yet. A promotion of a standby changes it, and may have lost the newest commits.
ALTER TABLE intent_head ADD COLUMN incarnation text;
