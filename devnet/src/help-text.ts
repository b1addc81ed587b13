// Prints the help of `npm start -- --help`.

export const HELP_TEXT = `Usage: npm start

Runs a whole venue on this machine: a chain, the contracts, traders, the indexer, the keeper and
both APIs. Ctrl-C ends everything, the next npm start goes on from there.

  DATA_DIR          .data      where it keeps everything; without it the next start begins anew
  HOST              127.0.0.1  address to listen at
  PORT              3000       REST API, Socket.IO and WebSocket; 0 takes a free port, as for all
  INTEGRATED_PORT   3001       second host
  INDEXER_PORT      3002
  KEEPER_PORT       3003
  ANVIL_PORT        8545       the chain's RPC
  HISTORY_HOURS     4          past that a new chain begins with, up to 24
  TRADERS           on         how busy the market is: calm, on (every book changes each second)
                               or storm (a hundred orders a second); off: nobody trades but you
  BLOCK_MS          200        at most so long an order waits for its block
  SEED              1          another number, other prices
  LOG_LEVEL         info       fatal, error, warn, debug, trace or silent; the log is on stderr
  DATABASE_URL      unset      a PostgreSQL in place of the embedded database
  REDIS_URL         unset      a Redis for rate limits

docs/OPERATING.md has every variable, README.md what to do next.
npm run faucet -- <address> and npm run register -- <index> find the venue by DATA_DIR.
`
