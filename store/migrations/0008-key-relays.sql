-- Registrations of signing keys on their way to the chain. A wipe of the chain leaves them: what it
-- undoes may have to be sent again.
CREATE TABLE key_relays (
  id bigint GENERATED ALWAYS AS IDENTITY,
  wallet text COLLATE "C" NOT NULL,
  signing_key text COLLATE "C" NOT NULL,
  -- As it was signed, up to 2^256 - 1.
  expiry numeric NOT NULL,
  wallet_signature text NOT NULL,
  signing_key_signature text NOT NULL,
  -- pending, sent, done or failed.
  status text NOT NULL,
  -- The newest transaction that carries it; null while there is none.
  tx_hash text,
  -- Why it failed: an error of the contract by its name, or a word of the keeper's; else null.
  reason text,
  -- How often it was queued within a day of created_ms, the newest time.
  times bigint NOT NULL,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (wallet, signing_key, expiry)
);

CREATE INDEX key_relays_unfinished ON key_relays (id) WHERE status IN ('pending', 'sent');
CREATE INDEX key_relays_finished ON key_relays (updated_ms) WHERE status IN ('done', 'failed');
CREATE INDEX key_relays_by_wallet ON key_relays (wallet, id);
