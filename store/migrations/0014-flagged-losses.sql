-- Whose loss in a market is flagged, so that no collateral leaves the engine.
ALTER TABLE markets ADD COLUMN loss_account bigint;
