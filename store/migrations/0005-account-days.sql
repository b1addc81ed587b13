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

INSERT INTO account_days (
  account, market, day, rows, fills, tick_lots, off_book, realised, fees, funding
)
SELECT account, market, seconds / 86400, count(*), sum(fills), sum(tick_lots), sum(off_book),
  sum(realised), sum(fees), sum(funding)
FROM (
  SELECT account, market, seconds, 1 AS fills, coalesce(tick * lots, 0) AS tick_lots,
    abs(coalesce(unit * lots, 0)) AS off_book, coalesce(realised, 0) AS realised,
    fee + liquidation_fee AS fees, 0 AS funding
  FROM fills
  UNION ALL
  SELECT account, market, seconds, 0, 0, 0, 0, 0, amount FROM funding_payments
) rows
GROUP BY account, market, seconds / 86400;
