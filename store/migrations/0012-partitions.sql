-- What grows for ever, and is only asked for by time: in partitions of 90 days, which the writer makes
-- (store/src/partitions.ts). The key of a partition is the order in which its rows are read, so that
-- one index serves reads, the delete of an undone block, and uniqueness. What a venue has already
-- becomes the first partition, with room for the days in which two versions run side by side.
ALTER TABLE trades RENAME TO trades_before;
ALTER TABLE fills RENAME TO fills_before;
ALTER TABLE position_cycles RENAME TO position_cycles_before;
ALTER TABLE funding_payments RENAME TO funding_payments_before;

DROP INDEX trades_by_market, fills_by_account, forced_fills_by_account, position_cycles_by_account,
  funding_payments_by_account;

ALTER TABLE trades_before DROP CONSTRAINT trades_pkey,
  ADD CONSTRAINT trades_before_pkey PRIMARY KEY (market, seconds, id);
ALTER TABLE fills_before DROP CONSTRAINT fills_pkey,
  ADD CONSTRAINT fills_before_pkey PRIMARY KEY (account, market, seconds, id);
ALTER TABLE position_cycles_before DROP CONSTRAINT position_cycles_pkey,
  ADD CONSTRAINT position_cycles_before_pkey PRIMARY KEY (account, market, seconds, id);
ALTER TABLE funding_payments_before DROP CONSTRAINT funding_payments_pkey,
  ADD CONSTRAINT funding_payments_before_pkey PRIMARY KEY (account, seconds, id);

CREATE TABLE trades (LIKE trades_before INCLUDING CONSTRAINTS, PRIMARY KEY (market, seconds, id))
  PARTITION BY RANGE (seconds);
CREATE TABLE fills (LIKE fills_before INCLUDING CONSTRAINTS, PRIMARY KEY (account, market, seconds, id))
  PARTITION BY RANGE (seconds);
CREATE TABLE position_cycles (
  LIKE position_cycles_before INCLUDING CONSTRAINTS, PRIMARY KEY (account, market, seconds, id)
) PARTITION BY RANGE (seconds);
CREATE TABLE funding_payments (
  LIKE funding_payments_before INCLUDING CONSTRAINTS, PRIMARY KEY (account, seconds, id)
) PARTITION BY RANGE (seconds);

-- Few of most accounts, and asked for by themselves.
CREATE INDEX forced_fills_by_account ON fills (account, market, seconds, id) WHERE kind <> 'trade';

DO $$
DECLARE
  head bigint := (SELECT seconds FROM checkpoint);
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['trades', 'fills', 'position_cycles', 'funding_payments'] LOOP
    IF head IS NULL THEN
      EXECUTE format('DROP TABLE %I', name || '_before');
    ELSE
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)',
        name, name || '_before', ((head + 7 * 86400) / 7776000 + 1) * 7776000);
    END IF;
  END LOOP;
END $$;
