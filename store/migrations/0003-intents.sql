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
CREATE INDEX intents_finished ON intents (updated_ns)
  WHERE state IN ('included', 'refused', 'expired', 'withdrawn');

-- Whether the order of a digest rests.
CREATE INDEX orders_resting_by_ref ON orders (ref) WHERE resting_lots > 0 AND ref IS NOT NULL;

-- One row for each state that an intent has taken. seq is without a gap, in the order of commits.
CREATE TABLE intent_log (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  at_ns bigint NOT NULL,
  tx_hash text,
  block_number bigint,
  reason text
);

CREATE INDEX intent_log_by_id ON intent_log (id, seq);

-- Whoever writes the log holds this row: so its numbers are in the order of commits.
CREATE TABLE intent_head (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  seq bigint NOT NULL
);
INSERT INTO intent_head (seq) VALUES (0);

-- What the relayer says of itself; one row.
CREATE TABLE relay_status (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  status text NOT NULL,
  updated_ms bigint NOT NULL
);
