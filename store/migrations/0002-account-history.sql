-- What accounts did. The records begin with the first block, so the chain is read anew: everything
-- that comes from it is dropped, and a reader that followed the feed reloads.

CREATE TABLE fills (
  id text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  order_number bigint NOT NULL,
  ref text,
  time_in_force text NOT NULL,
  is_buy boolean NOT NULL,
  is_maker boolean NOT NULL,
  tick bigint NOT NULL,
  lots numeric NOT NULL,
  fee numeric NOT NULL,
  order_filled_lots numeric NOT NULL,
  order_status text NOT NULL,
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
  opened_units numeric NOT NULL,
  closed_units numeric NOT NULL,
  realised numeric NOT NULL,
  fees numeric NOT NULL,
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
  opened_units numeric NOT NULL,
  closed_units numeric NOT NULL,
  realised numeric NOT NULL,
  fees numeric NOT NULL,
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

CREATE TABLE funding_payments (
  id text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  lots numeric NOT NULL,
  mark numeric NOT NULL,
  rate numeric NOT NULL,
  amount numeric NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE holdings (
  market text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  amount numeric NOT NULL,
  cost numeric NOT NULL,
  realised numeric NOT NULL,
  opened_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  PRIMARY KEY (market, account)
);

-- Lists of an account, by market in chain order: one market is a range of its index, several are
-- merged.
CREATE INDEX fills_by_account ON fills (account, market, seconds, id);
CREATE INDEX position_cycles_by_account ON position_cycles (account, market, seconds, id);
CREATE INDEX orders_by_account ON orders (account, market, created_seconds, block_number, log_index)
  WHERE status <> 'open';
CREATE INDEX transfers_by_account ON transfers (account, type, seconds, id);
CREATE INDEX funding_payments_by_account ON funding_payments (account, seconds, id);
CREATE INDEX accounts_by_wallet ON accounts (wallet, account);

TRUNCATE blocks, feed, undo, tokens, accounts, signing_keys, markets, orders, unswept_orders, trades,
  candles, tickers, balances, collaterals, positions, index_prices, marks, price_minutes, fundings,
  funding_settlements, transfers;
UPDATE checkpoint SET seq = seq + 1, number = NULL, hash = NULL, parent_hash = NULL, seconds = NULL;

-- At which the running hour accrues: what a payment within it is told with.
ALTER TABLE fundings ADD COLUMN mark numeric NOT NULL;
