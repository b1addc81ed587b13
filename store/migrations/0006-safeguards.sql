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

-- Orders with a trigger.
CREATE INDEX intents_stops ON intents (account, seq)
  WHERE kind = 'order' AND (payload::jsonb #>> '{order,triggerKind}') <> '0';
