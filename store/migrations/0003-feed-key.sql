-- The key under which processes of the venue publish entries to each other (FEED_URL). Whoever can
-- write to the message server, but not read this table, cannot pass a message off as ours.
CREATE TABLE feed_key (key text NOT NULL);
INSERT INTO feed_key (key) VALUES (replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''));
