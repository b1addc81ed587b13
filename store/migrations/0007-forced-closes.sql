-- Positions that are closed by force, and sub-accounts. What fills, cycles and orders say of them
-- begins with the first block, so the chain is read anew: everything that comes from it is dropped,
-- and a reader that followed the feed reloads.

CREATE TABLE forced_closes (
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  market text NOT NULL,
  account bigint NOT NULL,
  counterparty bigint,
  lots numeric NOT NULL,
  quote numeric NOT NULL,
  fee numeric NOT NULL,
  reward numeric NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE sub_accounts (
  account bigint NOT NULL,
  owner text NOT NULL,
  index bigint NOT NULL,
  opened_seconds bigint NOT NULL,
  PRIMARY KEY (account)
);

TRUNCATE blocks, feed, undo, tokens, accounts, signing_keys, markets, orders, unswept_orders, trades,
  candles, tickers, balances, collaterals, positions, index_prices, marks, price_minutes, fundings,
  funding_settlements, transfers, fills, open_cycles, position_cycles, funding_payments, holdings,
  pool_tokens, pools, pool_hours;
UPDATE checkpoint SET seq = seq + 1, number = NULL, hash = NULL, parent_hash = NULL, seconds = NULL;

-- Columns stand in the order of the records: the tables are made anew.
DROP TABLE orders, fills, open_cycles, position_cycles;

CREATE TABLE orders (
  market text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  ref text,
  account bigint NOT NULL,
  is_buy boolean NOT NULL,
  tick bigint NOT NULL,
  lots numeric NOT NULL,
  resting_lots numeric NOT NULL,
  filled_lots numeric NOT NULL,
  filled_units numeric NOT NULL,
  fees numeric NOT NULL,
  time_in_force text NOT NULL,
  is_reduce_only boolean NOT NULL,
  is_forced boolean NOT NULL,
  good_til_seconds bigint NOT NULL,
  status text NOT NULL,
  reason text,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  created_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  PRIMARY KEY (market, number)
);

CREATE TABLE fills (
  id text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  order_number bigint,
  ref text,
  time_in_force text,
  is_buy boolean NOT NULL,
  is_maker boolean NOT NULL,
  tick bigint,
  unit numeric,
  lots numeric NOT NULL,
  fee numeric NOT NULL,
  liquidation_fee numeric NOT NULL,
  order_filled_lots numeric,
  order_status text,
  held_lots numeric,
  held_quote numeric,
  closed_lots numeric,
  realised numeric,
  mark numeric,
  index numeric,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE open_cycles (
  market text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  open_id text NOT NULL,
  is_long boolean NOT NULL,
  max_lots numeric NOT NULL,
  max_quote numeric NOT NULL,
  opened_lots numeric NOT NULL,
  closed_lots numeric NOT NULL,
  opened_quote numeric NOT NULL,
  closed_quote numeric NOT NULL,
  realised numeric NOT NULL,
  fees numeric NOT NULL,
  liquidation_fees numeric NOT NULL,
  funding numeric NOT NULL,
  untold_funding numeric NOT NULL,
  funding_index numeric NOT NULL,
  fill_count bigint NOT NULL,
  open_tx_hash text NOT NULL,
  opened_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  PRIMARY KEY (market, account)
);

CREATE TABLE position_cycles (
  id text COLLATE "C" NOT NULL,
  market text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  open_id text NOT NULL,
  is_long boolean NOT NULL,
  max_lots numeric NOT NULL,
  max_quote numeric NOT NULL,
  opened_lots numeric NOT NULL,
  closed_lots numeric NOT NULL,
  opened_quote numeric NOT NULL,
  closed_quote numeric NOT NULL,
  realised numeric NOT NULL,
  fees numeric NOT NULL,
  liquidation_fees numeric NOT NULL,
  funding numeric NOT NULL,
  fill_count bigint NOT NULL,
  leverage bigint NOT NULL,
  reason text NOT NULL,
  open_tx_hash text NOT NULL,
  opened_seconds bigint NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX orders_resting ON orders (market, number) WHERE resting_lots > 0;
CREATE INDEX orders_by_account ON orders (account, market, created_seconds, block_number, log_index)
  WHERE status <> 'open';
CREATE INDEX fills_by_account ON fills (account, market, seconds, id);
-- Few of most accounts, and asked for by themselves.
CREATE INDEX forced_fills_by_account ON fills (account, market, seconds, id) WHERE kind <> 'trade';
CREATE INDEX position_cycles_by_account ON position_cycles (account, market, seconds, id);
