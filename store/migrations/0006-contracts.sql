-- Whose logs the chain was read for: addresses in order, with commas between. null: not known.
ALTER TABLE checkpoint ADD COLUMN contracts text;
