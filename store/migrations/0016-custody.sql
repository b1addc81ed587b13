-- What each engine holds of each token, and the caps on its deposits; null for none. Caps that were
-- set before are known once the chain is read again.
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
