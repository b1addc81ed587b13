// A database that is followed on a standby, which sends no notifications: the feed and other news
// are polled instead.
import { type Db, SIGNAL_CHANNEL } from './db.ts'

/** Poll intervals of the feed, and of all else that processes are notified of, ms. */
const FEED_POLL_MS = 100
const NEWS_POLL_MS = 1_000

/** Returns `db` with polls in place of notifications where it is a standby. */
export async function withPolls(db: Db): Promise<Db> {
  const [[isStandby] = []] = await db.primary.query('SELECT pg_is_in_recovery()::text')
  if (isStandby !== 'true') return db
  const listen: Db['listen'] = (channel, onMessage) => {
    const everyMs = channel === SIGNAL_CHANNEL ? FEED_POLL_MS : NEWS_POLL_MS
    const timer = setInterval(() => onMessage(undefined), everyMs)
    return () => clearInterval(timer)
  }
  return { ...db, listen }
}

/** Makes every write of a later connection fail. */
export const forbidWrites = (db: Db): void =>
  db.onConnect(async (sql) => {
    await sql.query('SET default_transaction_read_only = on')
  })
