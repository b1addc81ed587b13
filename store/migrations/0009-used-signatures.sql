-- One row for each pair of signatures that made an API key, kept for good: an expiry in the past is
-- taken, too, so that no pair ever ends by itself. SHA-256 of what was signed, since one statement
-- has many signatures: "<account> <signing key> <expiry>".
CREATE TABLE used_signatures (
  digest bytea NOT NULL,
  PRIMARY KEY (digest)
);

-- All that is known to be signed may have made a key, and what is on its way to the chain is public.
INSERT INTO used_signatures (digest)
  SELECT sha256(convert_to(concat_ws(' ', account, signing_key, expiry), 'UTF8'))
  FROM registrations
  UNION
  SELECT sha256(convert_to(concat_ws(' ', wallet, signing_key, expiry), 'UTF8'))
  FROM key_relays;

-- The contract of accounts takes messages of its own now.
UPDATE key_relays SET status = 'failed', reason = 'SignatureInvalid'
  WHERE status IN ('pending', 'sent');

-- Signatures are checked and forgotten. `look_ms`: when it is looked at next, to be deleted if its
-- account has done nothing; null once it stays for good.
ALTER TABLE registrations DROP COLUMN account_signature, DROP COLUMN signing_key_signature,
  ADD COLUMN look_ms bigint;
UPDATE registrations SET look_ms = updated_ms;
CREATE INDEX registrations_to_look_at ON registrations (look_ms) WHERE look_ms IS NOT NULL;

-- An account whose registration was deleted needs no second invite.
CREATE INDEX invites_by_account ON invites (account) WHERE account IS NOT NULL;
