-- Names that an operator understands.
ALTER TABLE open_cycles RENAME COLUMN untold_funding TO unsettled_funding;
ALTER TABLE checkpoint RENAME COLUMN told TO notified_to;
