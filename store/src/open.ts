// Opens the store of a process.
import { createAccountHistory } from './account-reads.ts'
import type { Db } from './db.ts'
import { createEquity } from './equity-rows.ts'
import { FeedCache } from './feed-cache.ts'
import { IdentityRows } from './identity-rows.ts'
import { createIntents } from './intent-rows.ts'
import { createKeyRelays, createQueuedNews } from './key-relay-rows.ts'
import { createLedger } from './ledger-rows.ts'
import { migrate } from './migrate.ts'
import { AddedNews, createNotifications } from './notification-rows.ts'
import { openPostgres } from './postgres.ts'
import { createReader } from './reader.ts'
import { createSafeguards } from './safeguard-rows.ts'
import type { Store } from './store.ts'
import { FeedWriter, type Kept } from './writer.ts'

export type StoreOptions = Kept &
  Readonly<{
    /** PostgreSQL for writes and news. Absent: PGlite. */
    databaseUrl?: string | undefined
    /** A replica of it for history. Absent: the same. */
    databaseReadUrl?: string | undefined
    /** Folder of PGlite's files. Absent: in memory. */
    dataDir?: string | undefined
    /** How long finished intents are kept; absent: a week. */
    intentsKeptMs?: number | undefined
  }>

/** Opens the database and brings its tables to the newest form. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return openOn(await openDatabase(options), options)
}

/** Opens the database as it is: its tables may be those of an older version, which goes on. */
export async function openDatabase(options: StoreOptions): Promise<Db> {
  const { databaseUrl, databaseReadUrl, dataDir } = options
  return databaseUrl === undefined
    ? await openEmbedded(dataDir)
    : openPostgres(databaseUrl, databaseReadUrl)
}

/**
 * Brings the tables of `db` to the newest form and serves the store on it. Closes it on an error.
 */
export async function openOn(
  db: Db,
  { intentsKeptMs, ...kept }: Kept & Pick<StoreOptions, 'intentsKeptMs'> = {},
): Promise<Store> {
  try {
    await migrate(db)
  } catch (error) {
    await db.close()
    throw error
  }
  const cache = new FeedCache(db)
  const news = new AddedNews(db)
  const queued = createQueuedNews()
  const writer = new FeedWriter(db, cache, kept)
  return {
    writer,
    reader: createReader(db, cache),
    history: createAccountHistory(db),
    identity: new IdentityRows(db, news, queued),
    keyRelays: createKeyRelays(db, queued),
    intents: createIntents(db, { queued: createQueuedNews(), added: news, keptMs: intentsKeptMs }),
    ledger: createLedger(db, intentsKeptMs),
    safeguards: createSafeguards(db, createQueuedNews()),
    notifications: createNotifications(db, news),
    equity: createEquity(db),
    lease: db.lease,
    db,
    close: async () => {
      cache.close()
      await writer.close()
      await db.close()
    },
  }
}

/** Loaded only where it is used: a process on PostgreSQL need not hold it in memory. */
async function openEmbedded(dataDir: string | undefined): Promise<Db> {
  const { openPglite } = await import('./pglite.ts')
  return openPglite(dataDir)
}
