-- Who may cancel orders of an account, and nothing else, until when.
CREATE TABLE cancellers (
  account bigint NOT NULL,
  canceller text COLLATE "C" NOT NULL,
  expiry_seconds bigint NOT NULL,
  PRIMARY KEY (account, canceller)
);
