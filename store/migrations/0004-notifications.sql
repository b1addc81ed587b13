-- What accounts are told, and what they were worth. A wipe of the chain leaves both.

CREATE TABLE notices (
  wallet text COLLATE "C" NOT NULL,
  -- Where on the chain it happened, or what it is about: told twice, it is there once.
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  seconds bigint NOT NULL,
  -- The block that caused it; null: none did.
  block_number bigint,
  block_hash text,
  -- JSON.
  data text NOT NULL,
  -- Where its owner wanted it. Nowhere: its owner deleted it, and it is not told again.
  is_listed boolean NOT NULL,
  is_pushed boolean NOT NULL,
  read_ms bigint,
  PRIMARY KEY (wallet, id)
);

CREATE INDEX notices_by_wallet ON notices (wallet, seconds, id);
CREATE INDEX notices_unread ON notices (wallet, seconds, id) WHERE is_listed AND read_ms IS NULL;
CREATE INDEX notices_by_block ON notices (block_number, wallet) WHERE block_number IS NOT NULL;

-- `types` holds what was chosen; a type that is not in it is as by default.
CREATE TABLE notice_preferences (
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

-- The last final block whose notices are written: reading the chain anew writes none up to it.
ALTER TABLE checkpoint ADD COLUMN told bigint NOT NULL DEFAULT 0;

-- What an account was worth, 18 decimals; null while the one who took the slot is still reading it.
CREATE TABLE equity_snapshots (
  wallet text COLLATE "C" NOT NULL,
  seconds bigint NOT NULL,
  equity numeric,
  -- The last one of its hour, and the others are gone.
  is_hourly boolean NOT NULL DEFAULT false,
  PRIMARY KEY (wallet, seconds)
);

CREATE INDEX equity_snapshots_by_time ON equity_snapshots (is_hourly, seconds);
