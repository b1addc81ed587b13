-- Who may act for whom off the chain. None of it comes from the chain, so a wipe leaves it alone.

-- What wallets signed, with their signatures as proof; once per signing key.
CREATE TABLE registrations (
  account text COLLATE "C" NOT NULL,
  signing_key text COLLATE "C" NOT NULL,
  expiry numeric NOT NULL,
  account_signature text NOT NULL,
  signing_key_signature text NOT NULL,
  referral_code text,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  PRIMARY KEY (account, signing_key)
);

-- A revoked key has no row. `number` tells the older of two keys.
CREATE TABLE api_keys (
  key text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  secret_hash text NOT NULL,
  account text COLLATE "C" NOT NULL,
  signing_key text NOT NULL,
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  last_used_ms bigint,
  PRIMARY KEY (key)
);

CREATE INDEX api_keys_by_account ON api_keys (account, number);
CREATE INDEX api_keys_by_expiry ON api_keys (expires_ms);

-- Codes are kept as hashes. `account` used it.
CREATE TABLE invites (
  hash text COLLATE "C" NOT NULL,
  created_ms bigint NOT NULL,
  used_ms bigint,
  account text,
  PRIMARY KEY (hash)
);
