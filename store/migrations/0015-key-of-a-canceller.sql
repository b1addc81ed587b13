-- The signing key that allowed a canceller, with which it ends; null where the wallet did.
ALTER TABLE cancellers ADD COLUMN key text COLLATE "C";
