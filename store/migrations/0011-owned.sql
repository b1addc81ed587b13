-- What an account owns is read when it is asked for: the keys of these begin with the market or the
-- engine. Balances begin with the account already. No update changes an account, so rows are still
-- updated in place.
CREATE INDEX positions_by_account ON positions (account);
CREATE INDEX collaterals_by_account ON collaterals (account);
CREATE INDEX open_cycles_by_account ON open_cycles (account);
CREATE INDEX holdings_by_account ON holdings (account);
