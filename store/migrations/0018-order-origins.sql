-- What the venue knows of an order that it accepted and brought to the chain.
ALTER TABLE orders ADD COLUMN is_market boolean NOT NULL DEFAULT false;
ALTER TABLE orders ADD COLUMN client_order_id text;
ALTER TABLE orders ADD COLUMN parent_ref text;
ALTER TABLE orders ADD COLUMN trigger_kind bigint;
ALTER TABLE orders ADD COLUMN trigger_price numeric;
ALTER TABLE orders ADD COLUMN replaces text;
ALTER TABLE orders ADD COLUMN replaced_by text;

ALTER TABLE fills ADD COLUMN is_market boolean NOT NULL DEFAULT false;
ALTER TABLE fills ADD COLUMN client_order_id text;

-- Past orders by the time they ended. An order that rests has not.
CREATE INDEX orders_by_end ON orders (account, market, updated_seconds, block_number, log_index)
  WHERE resting_lots = 0;

CREATE INDEX orders_by_client_order_id ON orders (account, client_order_id)
  WHERE client_order_id IS NOT NULL;

-- The same of orders whose intents are deleted: the chain may be read again. JSON.
CREATE TABLE order_origins (
  id text COLLATE "C" PRIMARY KEY,
  origin text NOT NULL
);

UPDATE orders o SET client_order_id = i.client_order_id, parent_ref = i.parent_id
  FROM intents i
  WHERE i.id = o.ref AND (i.client_order_id IS NOT NULL OR i.parent_id IS NOT NULL);
