// Stores accounts' equity over time in the database.
import type { Db } from '../db/db.ts'
import { textArray } from '../db/tables.ts'
import { EQUITY_DAYS_MAX, EQUITY_FINE_DAYS, type Equity } from './equity.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
/** Maximum rows of each kind changed by one call of `thin`. */
export const THINNED_ROWS_MAX = 20_000

/**
 * Maximum points of one account per read, above the possible number: one a second for 8 days and
 * one an hour after that. Hidden from the planner, so that it does not collect and sort.
 */
const POINTS_READ_MAX = 1_000_000

/** Every statement, so that their plans can be checked. */
export const EQUITY_SQL = {
  claim: `INSERT INTO equity_snapshots (wallet, seconds)
    SELECT wallet, $2 FROM unnest($1::text[]) AS given (wallet)
    ON CONFLICT DO NOTHING RETURNING wallet`,
  add: `INSERT INTO equity_snapshots AS s (wallet, seconds, equity)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::numeric[])
    ON CONFLICT (wallet, seconds) DO UPDATE SET equity = excluded.equity WHERE s.equity IS NULL`,
  range: `SELECT seconds, equity FROM (
      SELECT seconds, equity, lead(seconds / $4) OVER (ORDER BY seconds) AS next
      FROM (
        SELECT seconds, equity FROM equity_snapshots
        WHERE wallet = $1 AND seconds BETWEEN $2 AND $3 AND equity IS NOT NULL
        ORDER BY seconds LIMIT (SELECT ${POINTS_READ_MAX})
      ) points
    ) points WHERE next IS DISTINCT FROM seconds / $4`,
  expire: `WITH gone AS (
      DELETE FROM equity_snapshots WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM equity_snapshots WHERE is_hourly = $3::boolean AND seconds < $1
        ORDER BY seconds LIMIT (SELECT $2::bigint)
      )) RETURNING 1
    ) SELECT count(*) FROM gone`,
  // A claim without a point does not count.
  thin: `WITH old AS MATERIALIZED (
      SELECT s.ctid AS place, s.equity IS NULL OR EXISTS (
        SELECT FROM equity_snapshots later
        WHERE later.wallet = s.wallet AND later.seconds > s.seconds
          AND later.seconds < (s.seconds / ${HOUR_SECONDS} + 1) * ${HOUR_SECONDS}
          AND later.equity IS NOT NULL
      ) AS is_gone
      FROM equity_snapshots s
      WHERE NOT is_hourly AND seconds < $1 ORDER BY seconds LIMIT (SELECT $2::bigint)
    ), kept AS (
      UPDATE equity_snapshots SET is_hourly = true
      WHERE ctid = ANY (ARRAY(SELECT place FROM old WHERE NOT is_gone))
    ), gone AS (
      DELETE FROM equity_snapshots
      WHERE ctid = ANY (ARRAY(SELECT place FROM old WHERE is_gone)) RETURNING 1
    ) SELECT count(*) FROM gone`,
  liveAccounts: 'SELECT DISTINCT account FROM api_keys WHERE expires_ms > $1',
} as const

/** Returns the snapshots in `db`. */
export function createEquity(db: Db): Equity {
  const counted = async (text: string, params: readonly (string | number)[]) =>
    Number((await db.primary.query(text, params))[0]?.[0])
  return {
    claim: async (wallets, seconds) => {
      if (wallets.length === 0) return []
      const rows = await db.primary.query(EQUITY_SQL.claim, [textArray(wallets), seconds])
      return rows.map(([wallet]) => String(wallet))
    },
    add: async (snapshots) => {
      if (snapshots.length === 0) return
      const params = [
        textArray(snapshots.map(({ wallet }) => wallet)),
        textArray(snapshots.map(({ seconds }) => seconds)),
        textArray(snapshots.map(({ equity }) => equity.toString())),
      ]
      await db.primary.query(EQUITY_SQL.add, params)
    },
    range: async ({ wallet, fromSeconds, toSeconds, resolutionSeconds }) => {
      const params = [wallet, fromSeconds, toSeconds, resolutionSeconds]
      const rows = await db.replica.query(EQUITY_SQL.range, params)
      return rows.map(([seconds, equity]) => ({
        seconds: Number(seconds),
        equity: BigInt(equity ?? 0),
      }))
    },
    thin: async (nowSeconds) => {
      const expired = nowSeconds - EQUITY_DAYS_MAX * DAY_SECONDS
      // An hour is thinned when all of it is old.
      const old =
        Math.floor((nowSeconds - EQUITY_FINE_DAYS * DAY_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS
      const limit = THINNED_ROWS_MAX
      const gone = await counted(EQUITY_SQL.expire, [expired, limit, 'true'])
      const goneFine = await counted(EQUITY_SQL.expire, [expired, limit, 'false'])
      return gone + goneFine + (await counted(EQUITY_SQL.thin, [old, limit]))
    },
    liveAccounts: async (nowMs) =>
      (await db.primary.query(EQUITY_SQL.liveAccounts, [nowMs])).map(([wallet]) => String(wallet)),
  }
}
