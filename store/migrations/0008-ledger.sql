-- The log of intents as a ledger for everybody: promises with their blocks, and a chain of hashes.
ALTER TABLE intent_log
  ADD COLUMN include_by_block bigint NOT NULL DEFAULT 0,
  -- Of all entries up to this one; on the last of each commit.
  ADD COLUMN hash text;
ALTER TABLE intent_head
  ADD COLUMN hash text NOT NULL DEFAULT repeat('0', 64),
  -- From this number on nothing was deleted.
  ADD COLUMN from_seq bigint NOT NULL DEFAULT 1;

CREATE INDEX intent_log_commits ON intent_log (seq) WHERE hash IS NOT NULL;
