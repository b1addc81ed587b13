-- What a poke decides holds from the second after it: marks say from when on they are another, and
-- premiums weigh their seconds. The events say it from the first block on, so the chain is read
-- anew: everything that comes from it is dropped, and a reader that followed the feed reloads.

TRUNCATE blocks, feed, undo, history_counts, tokens, accounts, sub_accounts, signing_keys, markets,
  orders, unswept_orders, trades, candles, tickers, balances, collaterals, positions, index_prices,
  price_minutes, funding_settlements, transfers, fills, open_cycles, position_cycles, forced_closes,
  funding_payments, holdings, pool_tokens, pools, pool_hours;
UPDATE checkpoint SET seq = seq + 1, number = NULL, hash = NULL, parent_hash = NULL, seconds = NULL,
  genesis = NULL;
-- A final block that began or ended a warning will do so again.
DELETE FROM margin_warnings WHERE began > (SELECT told FROM checkpoint);
UPDATE margin_warnings SET ended = NULL WHERE ended > (SELECT told FROM checkpoint);

-- Columns stand in the order of the records: the tables are made anew.
DROP TABLE marks, fundings;

CREATE TABLE marks (
  market text COLLATE "C" NOT NULL,
  price numeric NOT NULL,
  basis numeric NOT NULL,
  next_price numeric NOT NULL,
  next_basis numeric NOT NULL,
  next_from_seconds bigint NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (market)
);

CREATE TABLE fundings (
  market text COLLATE "C" NOT NULL,
  settled_seconds bigint NOT NULL,
  rate numeric NOT NULL,
  per_second numeric NOT NULL,
  cumulative numeric NOT NULL,
  premium_sum numeric NOT NULL,
  sampled_seconds bigint NOT NULL,
  mark numeric NOT NULL,
  PRIMARY KEY (market)
);
