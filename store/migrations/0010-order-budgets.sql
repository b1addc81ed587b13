-- How many orders the venue has promised to bring to the chain for an account, ever, and when it
-- took the newest. Kept with the intents, which are deleted after a while.
CREATE TABLE order_budgets (
  account bigint PRIMARY KEY,
  orders bigint NOT NULL,
  last_ns bigint NOT NULL
);
