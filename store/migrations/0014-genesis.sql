-- Which chain the tables were read from: the hash of its block 0. Null: nobody has said yet.
ALTER TABLE checkpoint ADD COLUMN genesis text;
