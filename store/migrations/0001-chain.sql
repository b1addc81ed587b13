-- Everything that comes from the chain. Tables of records are those of core/src/records.ts, which a
-- test compares. Money is numeric; keys sort by bytes.

-- Where the chain stands. `seq` is the last entry of the feed; the rest is the last block committed.
CREATE TABLE checkpoint (
  id bigint NOT NULL CHECK (id = 1),
  seq bigint NOT NULL,
  number bigint,
  hash text,
  parent_hash text,
  seconds bigint,
  PRIMARY KEY (id)
);

INSERT INTO checkpoint (id, seq) VALUES (1, 0);

-- Headers of the blocks that are not yet final, and of the newest that is.
CREATE TABLE blocks (
  number bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (number)
);

-- What blocks did, for readers to follow. `changes` as in core/src/codec.ts.
CREATE TABLE feed (
  seq bigint NOT NULL,
  kind text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  seconds bigint NOT NULL,
  changes text NOT NULL,
  PRIMARY KEY (seq)
);

-- What blocks that are not yet final did, to put it back.
CREATE TABLE undo (
  number bigint NOT NULL,
  changes text NOT NULL,
  PRIMARY KEY (number)
);

-- Short-lived text is not worth compressing.
ALTER TABLE feed ALTER COLUMN changes SET STORAGE EXTERNAL;
ALTER TABLE undo ALTER COLUMN changes SET STORAGE EXTERNAL;

CREATE TABLE tokens (
  address text COLLATE "C" NOT NULL,
  symbol text NOT NULL,
  name text NOT NULL,
  decimals bigint NOT NULL,
  PRIMARY KEY (address)
);

CREATE TABLE accounts (
  account bigint NOT NULL,
  wallet text NOT NULL,
  opened_seconds bigint NOT NULL,
  PRIMARY KEY (account)
);

CREATE TABLE signing_keys (
  key text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  expiry_seconds bigint NOT NULL,
  is_revoked boolean NOT NULL,
  PRIMARY KEY (key)
);

CREATE TABLE markets (
  id text COLLATE "C" NOT NULL,
  engine text NOT NULL,
  number bigint NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  asset text NOT NULL,
  quote_asset text NOT NULL,
  base_token text,
  quote_token text,
  base_decimals bigint NOT NULL,
  quote_decimals bigint NOT NULL,
  price_step numeric NOT NULL,
  amount_step numeric NOT NULL,
  quote_per_lot_tick numeric NOT NULL,
  min_order_value numeric NOT NULL,
  max_order_value numeric NOT NULL,
  max_notional_value numeric NOT NULL,
  max_open_interest numeric,
  max_leverage bigint,
  maker_fee bigint,
  taker_fee bigint,
  is_halted boolean NOT NULL,
  listed_seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

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

-- The book: what the state is loaded from.
CREATE INDEX orders_resting ON orders (market, number) WHERE resting_lots > 0;

CREATE TABLE unswept_orders (
  market text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  account bigint NOT NULL,
  is_buy boolean NOT NULL,
  tick bigint NOT NULL,
  lots numeric NOT NULL,
  PRIMARY KEY (market, number)
);

CREATE TABLE trades (
  id text COLLATE "C" NOT NULL,
  market text COLLATE "C" NOT NULL,
  tick bigint NOT NULL,
  lots numeric NOT NULL,
  is_taker_buy boolean NOT NULL,
  maker bigint NOT NULL,
  maker_order bigint NOT NULL,
  maker_fee numeric NOT NULL,
  taker bigint NOT NULL,
  taker_order bigint NOT NULL,
  taker_fee numeric NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX trades_by_market ON trades (market, id);

CREATE TABLE candles (
  market text COLLATE "C" NOT NULL,
  resolution text COLLATE "C" NOT NULL,
  open_seconds bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  volume numeric NOT NULL,
  quote_units numeric NOT NULL,
  taker_buy_volume numeric NOT NULL,
  taker_buy_units numeric NOT NULL,
  trades bigint NOT NULL,
  PRIMARY KEY (market, resolution, open_seconds)
);

CREATE TABLE tickers (
  market text COLLATE "C" NOT NULL,
  last_tick bigint,
  last_trade_seconds bigint,
  open_interest numeric NOT NULL,
  PRIMARY KEY (market)
);

CREATE TABLE balances (
  account bigint NOT NULL,
  token text COLLATE "C" NOT NULL,
  free numeric NOT NULL,
  locked numeric NOT NULL,
  PRIMARY KEY (account, token)
);

CREATE TABLE collaterals (
  engine text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (engine, account)
);

CREATE TABLE positions (
  market text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  lots numeric NOT NULL,
  quote numeric NOT NULL,
  funding_index numeric NOT NULL,
  bid_lots numeric NOT NULL,
  ask_lots numeric NOT NULL,
  leverage bigint NOT NULL,
  PRIMARY KEY (market, account)
);

CREATE TABLE index_prices (
  asset text COLLATE "C" NOT NULL,
  price numeric NOT NULL,
  seconds bigint NOT NULL,
  block_number bigint NOT NULL,
  PRIMARY KEY (asset)
);

CREATE TABLE marks (
  market text COLLATE "C" NOT NULL,
  price numeric NOT NULL,
  basis numeric NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (market)
);

CREATE TABLE price_minutes (
  series text COLLATE "C" NOT NULL,
  open_seconds bigint NOT NULL,
  price numeric NOT NULL,
  PRIMARY KEY (series, open_seconds)
);

CREATE TABLE fundings (
  market text COLLATE "C" NOT NULL,
  settled_seconds bigint NOT NULL,
  rate numeric NOT NULL,
  per_second numeric NOT NULL,
  cumulative numeric NOT NULL,
  premium_sum numeric NOT NULL,
  premium_count bigint NOT NULL,
  PRIMARY KEY (market)
);

CREATE TABLE funding_settlements (
  market text COLLATE "C" NOT NULL,
  seconds bigint NOT NULL,
  rate numeric NOT NULL,
  mark numeric NOT NULL,
  cumulative numeric NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  PRIMARY KEY (market, seconds)
);

CREATE TABLE transfers (
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  engine text NOT NULL,
  account bigint NOT NULL,
  counterparty bigint,
  recipient text,
  token text NOT NULL,
  amount numeric NOT NULL,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (id)
);
