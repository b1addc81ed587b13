-- How many rows the lists of accounts have, by day: kept with the rows, since counting millions of
-- them takes seconds. `list`: fill (all of them), forced (fills that are no trades), order (all that
-- were ever more than open), closedCycle. `day`: of the row's place in its list, since 1970.

CREATE TABLE history_counts (
  list text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, account, market, day)
);

INSERT INTO history_counts
  SELECT 'fill', account, market, seconds / 86400, count(*) FROM fills GROUP BY 2, 3, 4;
INSERT INTO history_counts
  SELECT 'forced', account, market, seconds / 86400, count(*) FROM fills
  WHERE kind <> 'trade' GROUP BY 2, 3, 4;
INSERT INTO history_counts
  SELECT 'order', account, market, created_seconds / 86400, count(*) FROM orders
  WHERE status <> 'open' GROUP BY 2, 3, 4;
INSERT INTO history_counts
  SELECT 'closedCycle', account, market, seconds / 86400, count(*) FROM position_cycles
  GROUP BY 2, 3, 4;
