-- Forced closes of all accounts, by market and of all markets, newest first (GET /liquidations).
CREATE INDEX forced_closes_by_time ON forced_closes (seconds, id);
CREATE INDEX forced_closes_by_market ON forced_closes (market, seconds, id);
