-- The tables of a venue. Those of records are the ones that core/src/records.ts declares, column by
-- column, which a test compares; a column that holds one of a few words holds no other one. Money is
-- numeric; keys sort by bytes. Migrations go forward only from the first release on.

-- Where the chain stands. `seq` is the last entry of the feed; the rest is the last block.
CREATE TABLE checkpoint (
  id bigint NOT NULL CHECK (id = 1),
  seq bigint NOT NULL,
  number bigint,
  hash text,
  parent_hash text,
  seconds bigint,
  -- The last final block whose notifications are written: a chain read anew writes none up to it.
  notified_to bigint NOT NULL DEFAULT 0,
  -- Whose logs the chain was read for: addresses in order, with commas between. null: not known.
  contracts text,
  -- Which chain the tables were read from: the hash of its block 0. Null: nobody has said yet.
  genesis text,
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

-- The changes of each block, for readers to follow. `changes` as in core/src/codec.ts.
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

-- Short-lived text is not worth compressing.
ALTER TABLE feed ALTER COLUMN changes SET STORAGE EXTERNAL;

-- The changes of blocks that are not yet final, to take them back.
CREATE TABLE undo (
  number bigint NOT NULL,
  changes text NOT NULL,
  PRIMARY KEY (number)
);
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

CREATE INDEX accounts_by_wallet ON accounts (wallet, account);

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
  CONSTRAINT markets_type_words CHECK (type IN ('SPOT', 'PERPETUAL')),
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
  is_forced boolean NOT NULL,
  good_til_seconds bigint NOT NULL,
  status text NOT NULL,
  reason text,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  created_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  CONSTRAINT orders_time_in_force_words CHECK (time_in_force IN ('GTC', 'IOC', 'FOK', 'POST_ONLY')),
  CONSTRAINT orders_status_words CHECK (status IN ('open', 'partial', 'filled', 'cancelled')),
  CONSTRAINT orders_reason_words CHECK (reason IN (
    'USER', 'IOC_REMAINDER', 'FILL_LIMIT', 'SELF_TRADE', 'REDUCE_ONLY_CAPPED', 'MARGIN',
    'EXPIRED', 'LIQUIDATION', 'KEY_REVOKED', 'PRICE_BAND', 'BELOW_MINIMUM'
  )),
  PRIMARY KEY (market, number)
);

CREATE INDEX orders_resting ON orders (market, number) WHERE resting_lots > 0;
CREATE INDEX orders_by_account ON orders (account, market, created_seconds, block_number, log_index)
  WHERE status <> 'open';

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
  CONSTRAINT candles_resolution_words CHECK (resolution IN (
    '1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720', '1D', '3D', '1W', '1M'
  )),
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

CREATE INDEX collaterals_by_account ON collaterals (account);

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

-- The belongings of an account are read when it is asked for: the keys of these tables begin with
-- the market or the engine. No update changes an account, so rows are still updated in place.
CREATE INDEX positions_by_account ON positions (account);

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
  next_price numeric NOT NULL,
  next_basis numeric NOT NULL,
  next_from_seconds bigint NOT NULL,
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
  sampled_seconds bigint NOT NULL,
  mark numeric NOT NULL,
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
  CONSTRAINT transfers_type_words CHECK (type IN ('deposit', 'withdraw', 'send', 'receive')),
  PRIMARY KEY (id)
);

CREATE INDEX transfers_by_account ON transfers (account, type, seconds, id);

-- The history of accounts: what they traded, paid and received.
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
  CONSTRAINT fills_kind_words CHECK (kind IN ('trade', 'liquidation', 'absorption', 'deleverage')),
  CONSTRAINT fills_time_in_force_words CHECK (time_in_force IN ('GTC', 'IOC', 'FOK', 'POST_ONLY')),
  CONSTRAINT fills_order_status_words CHECK (order_status IN (
    'open', 'partial', 'filled', 'cancelled'
  )),
  PRIMARY KEY (id)
);

CREATE INDEX fills_by_account ON fills (account, market, seconds, id);

-- Few of most accounts, and asked for by themselves.
CREATE INDEX forced_fills_by_account ON fills (account, market, seconds, id) WHERE kind <> 'trade';

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
  unsettled_funding numeric NOT NULL,
  funding_index numeric NOT NULL,
  fill_count bigint NOT NULL,
  open_tx_hash text NOT NULL,
  opened_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  PRIMARY KEY (market, account)
);

CREATE INDEX open_cycles_by_account ON open_cycles (account);

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
  CONSTRAINT position_cycles_reason_words CHECK (reason IN ('trade', 'flip', 'liquidation', 'adl')),
  PRIMARY KEY (id)
);

CREATE INDEX position_cycles_by_account ON position_cycles (account, market, seconds, id);

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

CREATE INDEX funding_payments_by_account ON funding_payments (account, seconds, id);

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

CREATE INDEX holdings_by_account ON holdings (account);

-- Registrations of wallets, one per signing key. None of it comes from the chain, nor do the keys
-- and invites: a wipe leaves them alone.
CREATE TABLE registrations (
  account text COLLATE "C" NOT NULL,
  signing_key text COLLATE "C" NOT NULL,
  expiry numeric NOT NULL,
  referral_code text,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  -- Signatures are checked and forgotten. `look_ms`: when it is looked at next, to be deleted if its
  -- account has done nothing; null once it stays for good.
  look_ms bigint,
  PRIMARY KEY (account, signing_key)
);

CREATE INDEX registrations_to_look_at ON registrations (look_ms) WHERE look_ms IS NOT NULL;

-- A revoked key has no row. `number` says which of two keys is older.
CREATE TABLE api_keys (
  key text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  secret_hash text NOT NULL,
  account text COLLATE "C" NOT NULL,
  signing_key text NOT NULL,
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  last_used_ms bigint,
  PRIMARY KEY (key)
);

CREATE INDEX api_keys_by_account ON api_keys (account, number);

CREATE INDEX api_keys_by_expiry ON api_keys (expires_ms);

-- Invite codes, kept as hashes. `account` used it.
CREATE TABLE invites (
  hash text COLLATE "C" NOT NULL,
  created_ms bigint NOT NULL,
  used_ms bigint,
  account text,
  PRIMARY KEY (hash)
);

-- An account whose registration was deleted needs no second invite.
CREATE INDEX invites_by_account ON invites (account) WHERE account IS NOT NULL;

-- Notifications of accounts. A wipe of the chain leaves them.
CREATE TABLE notifications (
  wallet text COLLATE "C" NOT NULL,
  -- Where on the chain it happened, or what it is about: added twice, it is there once.
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  seconds bigint NOT NULL,
  -- The block that caused it; null: none did.
  block_number bigint,
  block_hash text,
  -- JSON.
  data text NOT NULL,
  -- Where its owner wanted it. Nowhere: its owner deleted it, and it is not added again.
  is_listed boolean NOT NULL,
  is_pushed boolean NOT NULL,
  read_ms bigint,
  PRIMARY KEY (wallet, id)
);

CREATE INDEX notifications_by_wallet ON notifications (wallet, seconds, id);

CREATE INDEX notifications_unread ON notifications (wallet, seconds, id) WHERE is_listed AND read_ms IS NULL;
CREATE INDEX notifications_by_block ON notifications (block_number, wallet) WHERE block_number IS NOT NULL;

-- `types` holds what was chosen; a type that is not in it is as by default.
CREATE TABLE notification_preferences (
  wallet text COLLATE "C" NOT NULL,
  in_app boolean NOT NULL,
  websocket boolean NOT NULL,
  types jsonb NOT NULL,
  PRIMARY KEY (wallet)
);

-- From when to when an account was warned of its liquidation: the numbers of the blocks.
CREATE TABLE margin_warnings (
  engine text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  began bigint NOT NULL,
  ended bigint,
  PRIMARY KEY (engine, account, began)
);

-- The equity of an account, 18 decimals; null while the one who took the slot is still reading it.
CREATE TABLE equity_snapshots (
  wallet text COLLATE "C" NOT NULL,
  seconds bigint NOT NULL,
  equity numeric,
  -- The last one of its hour, and the others are gone.
  is_hourly boolean NOT NULL DEFAULT false,
  PRIMARY KEY (wallet, seconds)
);

CREATE INDEX equity_snapshots_by_time ON equity_snapshots (is_hourly, seconds);

-- AMM pools, their tokens and their hours. Records as above.
CREATE TABLE pool_tokens (
  address text COLLATE "C" NOT NULL,
  symbol text NOT NULL,
  name text NOT NULL,
  decimals bigint,
  total_supply numeric,
  PRIMARY KEY (address)
);

CREATE TABLE pools (
  address text COLLATE "C" NOT NULL,
  factory text NOT NULL,
  version bigint NOT NULL,
  token0 text NOT NULL,
  token1 text NOT NULL,
  fee bigint NOT NULL,
  tick_spacing bigint,
  reserve0 numeric NOT NULL,
  reserve1 numeric NOT NULL,
  sqrt_price_x96 numeric,
  tick bigint,
  liquidity numeric,
  block_number bigint NOT NULL,
  log_index bigint NOT NULL,
  tx_hash text NOT NULL,
  created_seconds bigint NOT NULL,
  updated_seconds bigint NOT NULL,
  PRIMARY KEY (address)
);

CREATE TABLE pool_hours (
  pool text COLLATE "C" NOT NULL,
  open_seconds bigint NOT NULL,
  volume0 numeric NOT NULL,
  volume1 numeric NOT NULL,
  swaps bigint NOT NULL,
  open_price_x128 numeric NOT NULL,
  price_x128 numeric NOT NULL,
  PRIMARY KEY (pool, open_seconds)
);

-- Positions that were closed by force.
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
  CONSTRAINT forced_closes_kind_words CHECK (kind IN ('liquidation', 'absorption', 'deleverage')),
  PRIMARY KEY (id)
);

CREATE TABLE sub_accounts (
  account bigint NOT NULL,
  owner text NOT NULL,
  index bigint NOT NULL,
  opened_seconds bigint NOT NULL,
  PRIMARY KEY (account)
);

-- Registrations of signing keys on their way to the chain. A wipe of the chain leaves them: what it
-- undoes may have to be sent again.
CREATE TABLE key_relays (
  id bigint GENERATED ALWAYS AS IDENTITY,
  wallet text COLLATE "C" NOT NULL,
  signing_key text COLLATE "C" NOT NULL,
  -- As it was signed, up to 2^256 - 1.
  expiry numeric NOT NULL,
  wallet_signature text NOT NULL,
  signing_key_signature text NOT NULL,
  -- pending, sent, done or failed.
  status text NOT NULL,
  -- The newest transaction that carries it; null while there is none.
  tx_hash text,
  -- Why it failed: an error of the contract by its name, or a word of the keeper's; else null.
  reason text,
  -- How often it was queued within a day of created_ms, the newest time.
  times bigint NOT NULL,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (wallet, signing_key, expiry)
);

CREATE INDEX key_relays_unfinished ON key_relays (id) WHERE status IN ('pending', 'sent');

CREATE INDEX key_relays_finished ON key_relays (updated_ms) WHERE status IN ('done', 'failed');

CREATE INDEX key_relays_by_wallet ON key_relays (wallet, id);

-- One row for each pair of signatures that made an API key, kept for good: an expiry in the past is
-- taken, too, so that no pair ever ends by itself. SHA-256 of what was signed, since one statement
-- has many signatures: "<account> <signing key> <expiry>".
CREATE TABLE used_signatures (
  digest bytea NOT NULL,
  PRIMARY KEY (digest)
);

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
