-- Keys that are made by hand: with a name, and with less power than their account has.
ALTER TABLE api_keys
  -- Null: made by a sign-in, and not named since.
  ADD COLUMN name text,
  -- Words with commas between them.
  ADD COLUMN scopes text NOT NULL DEFAULT 'read,trade,cancel',
  -- Networks with commas between them; empty: usable from anywhere.
  ADD COLUMN ip_addresses text NOT NULL DEFAULT '',
  -- The secret, encrypted, of keys that sign requests; null: only its hash is kept.
  ADD COLUMN sealed_secret text,
  -- How often its power was narrowed: whoever has checked another one checks it anew.
  ADD COLUMN version integer NOT NULL DEFAULT 0;

-- Signatures of requests that changed something, as long as their timestamps are taken: none is
-- taken twice.
CREATE TABLE used_request_signatures (
  signature bytea NOT NULL,
  expires_ms bigint NOT NULL,
  PRIMARY KEY (signature)
);

CREATE INDEX used_request_signatures_by_expiry ON used_request_signatures (expires_ms);
