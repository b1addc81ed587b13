-- Signed orders by their digest, ended ones too: what became of an intent, and orders by their id.
CREATE INDEX orders_by_ref ON orders (ref) WHERE ref IS NOT NULL;
