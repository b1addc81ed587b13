-- Columns that hold one of a few words hold no other one. The words are those of RECORDS.
ALTER TABLE markets
  ADD CONSTRAINT markets_type_words CHECK (type IN (
    'SPOT', 'PERPETUAL'));
ALTER TABLE orders
  ADD CONSTRAINT orders_time_in_force_words CHECK (time_in_force IN (
    'GTC', 'IOC', 'FOK', 'POST_ONLY')),
  ADD CONSTRAINT orders_status_words CHECK (status IN (
    'open', 'partial', 'filled', 'cancelled')),
  ADD CONSTRAINT orders_reason_words CHECK (reason IN (
    'USER', 'IOC_REMAINDER', 'FILL_LIMIT', 'SELF_TRADE', 'REDUCE_ONLY_CAPPED', 'MARGIN', 'EXPIRED', 'LIQUIDATION', 'KEY_REVOKED', 'PRICE_BAND', 'BELOW_MINIMUM'));
ALTER TABLE candles
  ADD CONSTRAINT candles_resolution_words CHECK (resolution IN (
    '1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720', '1D', '3D', '1W', '1M'));
ALTER TABLE transfers
  ADD CONSTRAINT transfers_type_words CHECK (type IN (
    'deposit', 'withdraw', 'send', 'receive'));
ALTER TABLE fills
  ADD CONSTRAINT fills_kind_words CHECK (kind IN (
    'trade', 'liquidation', 'absorption', 'deleverage')),
  ADD CONSTRAINT fills_time_in_force_words CHECK (time_in_force IN (
    'GTC', 'IOC', 'FOK', 'POST_ONLY')),
  ADD CONSTRAINT fills_order_status_words CHECK (order_status IN (
    'open', 'partial', 'filled', 'cancelled'));
ALTER TABLE position_cycles
  ADD CONSTRAINT position_cycles_reason_words CHECK (reason IN (
    'trade', 'flip', 'liquidation', 'adl'));
ALTER TABLE forced_closes
  ADD CONSTRAINT forced_closes_kind_words CHECK (kind IN (
    'liquidation', 'absorption', 'deleverage'));
