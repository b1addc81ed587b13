-- Whether a market has ended for ever.
ALTER TABLE markets ADD COLUMN is_ended boolean NOT NULL DEFAULT false;
