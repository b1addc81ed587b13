-- The tables of a venue. Those of records are the ones that core/src/records.ts declares, column by
-- column, which a test compares; a column that holds one of a few words holds no other one. Money is
-- numeric; keys sort by bytes. Later scripts only add to it.

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
  -- The block of the backup that was restored last. Until the chain is read to it, intents are ahead
  -- of the chain's tables, and the two are not compared.
  restored_to bigint,
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
  is_ended boolean NOT NULL DEFAULT false,
  -- The account whose loss is flagged, so that no collateral leaves the engine.
  loss_account bigint,
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
  -- From here on, what the venue knows of an order that it accepted.
  is_market boolean NOT NULL DEFAULT false,
  client_order_id text,
  parent_ref text,
  trigger_kind bigint,
  trigger_price numeric,
  replaces text,
  replaced_by text,
  -- Time of its end; while it rests, a time after all others.
  ended_seconds bigint NOT NULL DEFAULT 9007199254740991,
  CONSTRAINT orders_ended CHECK (
    ended_seconds = CASE WHEN resting_lots = 0 THEN updated_seconds ELSE 9007199254740991 END
  ),
  CONSTRAINT orders_time_in_force_words CHECK (time_in_force IN ('GTC', 'IOC', 'FOK', 'POST_ONLY')),
  CONSTRAINT orders_status_words CHECK (status IN ('open', 'partial', 'filled', 'cancelled')),
  CONSTRAINT orders_reason_words CHECK (reason IN (
    'USER', 'IOC_REMAINDER', 'FILL_LIMIT', 'SELF_TRADE', 'REDUCE_ONLY_CAPPED', 'MARGIN',
    'EXPIRED', 'LIQUIDATION', 'KEY_REVOKED', 'PRICE_BAND', 'BELOW_MINIMUM'
  )),
  PRIMARY KEY (market, number, ended_seconds)
) PARTITION BY RANGE (ended_seconds);

-- Resting orders have a partition of their own. Those that ended are in partitions of 90 days, as
-- trades are; an order moves when it ends, so no digest or number is in two of them.
CREATE TABLE orders_resting PARTITION OF orders FOR VALUES FROM (9007199254740991) TO (MAXVALUE);

CREATE INDEX orders_by_account ON orders (account, market, created_seconds, block_number, log_index)
  WHERE status <> 'open';
-- Past orders by the time of their end.
CREATE INDEX orders_by_end ON orders (account, market, ended_seconds, block_number, log_index)
  WHERE resting_lots = 0;
-- Signed orders by their digest.
CREATE INDEX orders_by_ref ON orders (ref) WHERE ref IS NOT NULL;
CREATE INDEX orders_by_client_order_id ON orders (account, client_order_id)
  WHERE client_order_id IS NOT NULL;

-- The venue's knowledge of orders whose intents are deleted: the chain may be read again. JSON.
CREATE TABLE order_origins (
  id text COLLATE "C" PRIMARY KEY,
  origin text NOT NULL
);

CREATE TABLE unswept_orders (
  market text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  account bigint NOT NULL,
  is_buy boolean NOT NULL,
  tick bigint NOT NULL,
  lots numeric NOT NULL,
  PRIMARY KEY (market, number)
);

-- This table, fills, position_cycles, funding_payments and ended orders grow for ever and are read
-- by time: the writer makes partitions of 90 days (store/src/db/partitions.ts). Their key is the
-- order in which rows are read, so that one index serves reads, the delete of an undone block, and
-- uniqueness.
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
  PRIMARY KEY (market, seconds, id)
) PARTITION BY RANGE (seconds);

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
  is_market boolean NOT NULL DEFAULT false,
  client_order_id text,
  CONSTRAINT fills_kind_words CHECK (kind IN ('trade', 'liquidation', 'absorption', 'deleverage')),
  CONSTRAINT fills_time_in_force_words CHECK (time_in_force IN ('GTC', 'IOC', 'FOK', 'POST_ONLY')),
  CONSTRAINT fills_order_status_words CHECK (order_status IN (
    'open', 'partial', 'filled', 'cancelled'
  )),
  PRIMARY KEY (account, market, seconds, id)
) PARTITION BY RANGE (seconds);

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
  PRIMARY KEY (account, market, seconds, id)
) PARTITION BY RANGE (seconds);

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
  PRIMARY KEY (account, seconds, id)
) PARTITION BY RANGE (seconds);

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
  -- Null: made by a sign-in, and not named since.
  name text,
  -- Words with commas between them.
  scopes text NOT NULL DEFAULT 'read,trade,cancel',
  -- Networks with commas between them; empty: usable from anywhere.
  ip_addresses text NOT NULL DEFAULT '',
  -- The secret, encrypted, of keys that sign requests; null: only its hash is kept.
  sealed_secret text,
  -- Number of times its scopes or networks were narrowed: caches of an older version are stale.
  version integer NOT NULL DEFAULT 0,
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

-- Who may cancel orders of an account, and nothing else, until when.
CREATE TABLE cancellers (
  account bigint NOT NULL,
  canceller text COLLATE "C" NOT NULL,
  expiry_seconds bigint NOT NULL,
  -- The signing key that allowed it, with which it ends; null: the wallet did.
  key text COLLATE "C",
  -- The expiry that was signed, whatever that of the key.
  allowed_seconds bigint,
  PRIMARY KEY (account, canceller)
);

-- Holdings of each engine by token, and the caps on its deposits; null: none.
CREATE TABLE custodies (
  engine text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  engine_type text COLLATE "C" NOT NULL
    CONSTRAINT custodies_engine_type_words CHECK (engine_type IN ('SPOT', 'PERPETUAL')),
  held numeric NOT NULL,
  total_cap numeric,
  account_cap numeric,
  PRIMARY KEY (engine, token)
);

CREATE TABLE sub_accounts (
  account bigint NOT NULL,
  owner text NOT NULL,
  index bigint NOT NULL,
  opened_seconds bigint NOT NULL,
  PRIMARY KEY (account)
);

-- Registrations of signing keys, and allowances of cancellers, on their way to the chain. Both share
-- one bound a wallet, and an allowance follows the key that signed it: there `signing_key` is the
-- canceller, `wallet_signature` that of AllowCanceller, `signing_key_signature` empty. A wipe of the
-- chain leaves them: what it undoes may have to be sent again.
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
  kind text NOT NULL DEFAULT 'key',
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
-- `ended_partition`: number of the partition of ended orders, which is dropped with its counts; else
-- -1.
CREATE TABLE history_counts (
  list text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  ended_partition bigint NOT NULL DEFAULT -1,
  rows bigint NOT NULL,
  PRIMARY KEY (list, account, market, day, ended_partition)
);

-- Signatures of requests that changed something, as long as their timestamps are taken: none is
-- taken twice.
CREATE TABLE used_request_signatures (
  signature bytea NOT NULL,
  expires_ms bigint NOT NULL,
  PRIMARY KEY (signature)
);

CREATE INDEX used_request_signatures_by_expiry ON used_request_signatures (expires_ms);

-- What an account did in a market on a day: kept with the rows that it sums, since adding up millions
-- of them takes seconds. `rows`: fills and funding payments. `tick_lots`: sum of tick * lots on the
-- book; `off_book`: quote raw of what changed hands off it, without sign; the others quote raw, above
-- zero when the account received, `fees` when it paid. `day`: since 1970.
CREATE TABLE account_days (
  account bigint NOT NULL,
  market text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  rows bigint NOT NULL,
  fills bigint NOT NULL,
  tick_lots numeric NOT NULL,
  off_book numeric NOT NULL,
  realised numeric NOT NULL,
  fees numeric NOT NULL,
  funding numeric NOT NULL,
  PRIMARY KEY (account, market, day)
);

-- What the venue has promised to bring to the chain, and every step of it.
CREATE TABLE intents (
  id text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('order', 'cancel', 'signed_cancel', 'signed_cancel_all')),
  account bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  market text COLLATE "C" NOT NULL,
  lane text NOT NULL,
  state text NOT NULL CHECK (state IN (
    'received', 'queued', 'sent', 'included', 'refused', 'expired', 'withdrawn'
  )),
  gas bigint NOT NULL,
  payload text NOT NULL,
  client_order_id text COLLATE "C",
  parent_id text COLLATE "C",
  deadline_seconds numeric NOT NULL,
  received_ns bigint NOT NULL,
  include_by_block bigint NOT NULL,
  tx_hash text,
  block_number bigint,
  reason text,
  updated_ns bigint NOT NULL
);

CREATE INDEX intents_live ON intents (seq) WHERE state IN ('received', 'queued', 'sent');
CREATE INDEX intents_included ON intents (block_number) WHERE state = 'included';
CREATE INDEX intents_by_account ON intents (account, seq);
CREATE INDEX intents_by_client_order_id ON intents (account, client_order_id)
  WHERE client_order_id IS NOT NULL;
CREATE INDEX intents_by_parent ON intents (parent_id) WHERE parent_id IS NOT NULL;
-- Orders with a trigger.
CREATE INDEX intents_stops ON intents (account, seq)
  WHERE kind = 'order' AND (payload::jsonb #>> '{order,triggerKind}') <> '0';
CREATE INDEX intents_finished ON intents (updated_ns)
  WHERE state IN ('included', 'refused', 'expired', 'withdrawn');

-- One row for each state that an intent has taken, a public ledger of promises with a chain of
-- hashes. seq is without a gap, in the order of commits.
CREATE TABLE intent_log (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  at_ns bigint NOT NULL,
  tx_hash text,
  block_number bigint,
  reason text,
  include_by_block bigint NOT NULL DEFAULT 0,
  -- Hash of all entries up to this one; on the last of each commit.
  hash text
);

CREATE INDEX intent_log_by_id ON intent_log (id, seq);
CREATE INDEX intent_log_commits ON intent_log (seq) WHERE hash IS NOT NULL;

-- Whoever writes the log holds this row: so its numbers are in the order of commits.
CREATE TABLE intent_head (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  seq bigint NOT NULL,
  hash text NOT NULL DEFAULT repeat('0', 64),
  -- Nothing from this number on was deleted.
  from_seq bigint NOT NULL DEFAULT 1
);
INSERT INTO intent_head (seq) VALUES (0);

-- What the relayer says of itself; one row.
CREATE TABLE relay_status (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  status text NOT NULL,
  updated_ms bigint NOT NULL
);

-- How many orders the venue has promised to bring to the chain for an account, ever, and when it
-- took the newest. Kept with the intents, which are deleted after a while.
CREATE TABLE order_budgets (
  account bigint PRIMARY KEY,
  orders bigint NOT NULL,
  last_ns bigint NOT NULL
);

-- Armed switches: the orders of an account are cancelled unless it is heard of in time. Times are
-- of the database's clock, which is one for all processes.
CREATE TABLE cancel_timers (
  account bigint PRIMARY KEY,
  wallet text COLLATE "C" NOT NULL,
  timeout_ms bigint NOT NULL,
  armed_ms bigint NOT NULL,
  trigger_ms bigint NOT NULL,
  includes_triggers boolean NOT NULL,
  -- What was signed beforehand, by market; JSON.
  cancel_alls text NOT NULL
);
CREATE INDEX cancel_timers_due ON cancel_timers (trigger_ms);
CREATE INDEX cancel_timers_armed ON cancel_timers (armed_ms);

-- Nodes with sockets. A node counts its beats up; one whose count stands still is dead.
CREATE TABLE socket_nodes (
  node text COLLATE "C" PRIMARY KEY,
  beats bigint NOT NULL
);

-- Connections that have ended, whose orders have not been looked after yet.
CREATE TABLE ended_connections (
  connection text COLLATE "C" PRIMARY KEY
);

-- Accounts that want the orders of a connection to end with it. `changed` is in the order of
-- commits, in this table and the next one: whoever writes holds the row of `safeguard_head`.
CREATE TABLE disconnect_rules (
  account bigint PRIMARY KEY,
  is_enabled boolean NOT NULL,
  changed bigint NOT NULL
);
CREATE INDEX disconnect_rules_changed ON disconnect_rules (changed);

-- Market-maker protection of an account in the markets of an asset.
CREATE TABLE mmp_rules (
  account bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  asset text COLLATE "C" NOT NULL,
  -- Seconds; 0: it is off.
  interval_seconds bigint NOT NULL,
  -- Seconds; 0: frozen until it is reset.
  frozen_seconds bigint NOT NULL,
  -- Millionths of a whole base unit.
  amount_limit numeric NOT NULL,
  delta_limit numeric,
  -- Counting begins anew with each.
  reset_ms bigint NOT NULL,
  frozen_ms bigint,
  changed bigint NOT NULL,
  PRIMARY KEY (account, asset)
);
CREATE INDEX mmp_rules_changed ON mmp_rules (changed);

CREATE TABLE safeguard_head (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  changed bigint NOT NULL
);
INSERT INTO safeguard_head (changed) VALUES (0);
