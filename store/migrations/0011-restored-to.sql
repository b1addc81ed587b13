-- The block of the backup that was restored last. Until the chain was read to it, intents say more
-- than the tables of the chain do: nobody acts by comparing the two.
ALTER TABLE checkpoint ADD COLUMN restored_to bigint;
