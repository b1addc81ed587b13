-- AMM pools, their tokens and their hours. Records as in 0001.

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
