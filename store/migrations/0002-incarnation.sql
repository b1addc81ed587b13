-- The server and timeline that the log was last written on: `<system identifier>/<timeline>`. Null:
-- not recorded yet. A promotion of a standby changes it, and may have lost the newest commits.
-- `gap_from`: the last number before it changed; `gap_to`: the number that the next entry follows.
-- Null: nothing was skipped, or the loss of what was in the gap has been dealt with.
ALTER TABLE intent_head ADD COLUMN incarnation text, ADD COLUMN gap_from bigint,
  ADD COLUMN gap_to bigint;
