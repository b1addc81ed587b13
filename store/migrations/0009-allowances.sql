-- Allowances of cancellers wait in the same queue as registrations of keys, so that both share one
-- bound a wallet, and an allowance follows the key that signed it. `signing_key` of one is the
-- canceller, `wallet_signature` that of AllowCanceller, and `signing_key_signature` is empty.
ALTER TABLE key_relays ADD COLUMN kind text NOT NULL DEFAULT 'key';
