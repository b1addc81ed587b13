// Opens the store of a process.
import type { OutageLog } from '@openvenue/runtime/outage'

import type { Broadcast } from './broadcast/broadcast.ts'
import { createAnnouncements } from './db/announcements.ts'
import type { Db } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { openPostgres } from './db/postgres.ts'
import { forbidWrites, withPolls } from './db/standby.ts'
import { FeedCache } from './feed/feed-cache.ts'
import { createReader } from './feed/reader.ts'
import { FeedWriter, type Retention } from './feed/writer.ts'
import { createAccountHistory } from './history/account-reads.ts'
import { createEquity } from './history/equity-rows.ts'
import { AddedNews, createNotifications } from './history/notification-rows.ts'
import { IdentityRows } from './identity/identity-rows.ts'
import { createKeyRelays, createQueuedNews } from './identity/key-relay-rows.ts'
import { createIntents } from './intents/intent-rows.ts'
import { createLedger } from './intents/ledger-rows.ts'
import { createSafeguards } from './intents/safeguard-rows.ts'
import { checkIncarnation, type NewestSeen, readOrigin } from './maintenance/incarnation.ts'
import type { Store } from './store.ts'

export type StoreOptions = Retention &
  Readonly<{
    /** PostgreSQL primary. Absent: PGlite. */
    databaseUrl?: string | undefined
    /** A replica for history. Absent: the primary. */
    databaseReadUrl?: string | undefined
    /** Folder of PGlite's files. Absent: in memory. */
    dataDir?: string | undefined
    /** Retention of finished intents; absent: a week. */
    intentsKeptMs?: number | undefined
    /** A NATS server that carries new entries between processes; needs PostgreSQL. */
    feedUrl?: string | undefined
    /** Receives a line for each change of its state. */
    log?: OutageLog | undefined
  }>

/** Opens the database and migrates its tables. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const broadcast = await openBroadcast(options)
  return openOn(await openDatabase(options), { ...options, broadcast })
}

/** Opens the database without migrating: an older version may still be running. */
export async function openDatabase(options: StoreOptions): Promise<Db> {
  const { databaseUrl, databaseReadUrl, dataDir } = options
  return databaseUrl === undefined
    ? await openEmbedded(dataDir)
    : openPostgres(databaseUrl, databaseReadUrl)
}

type OpenOptions = Retention &
  Pick<StoreOptions, 'intentsKeptMs'> &
  Readonly<{ broadcast?: Broadcast | undefined }>

/** Migrates the tables of `db` and serves the store on it. Closes it on an error. */
export async function openOn(
  db: Db,
  { intentsKeptMs, broadcast, ...retention }: OpenOptions = {},
): Promise<Store> {
  try {
    await migrate(db)
  } catch (error) {
    await broadcast?.close()
    await db.close()
    throw error
  }
  const seen = { log: 0, feed: 0 }
  db.onConnect(async (sql) => {
    await checkIncarnation(sql, seen, Date.now())
    if (broadcast !== undefined) broadcast.setOrigin(await readOrigin(sql))
  })
  return createStore(db, { intentsKeptMs, broadcast, ...retention }, seen)
}

/**
 * Opens a migrated database only to read, also as a user who may do nothing else, or on a standby.
 * Writes fail.
 */
export async function openToRead(options: StoreOptions): Promise<Store> {
  const db = await openDatabase(options)
  try {
    forbidWrites(db)
    return createStore(await withPolls(db), options, { log: 0, feed: 0 })
  } catch (error) {
    await db.close()
    throw error
  }
}

function createStore(
  db: Db,
  { intentsKeptMs, broadcast, ...retention }: OpenOptions,
  seen: NewestSeen,
): Store {
  const cache = new FeedCache(db, seen, broadcast)
  const news = new AddedNews(db)
  const queued = createQueuedNews()
  const writer = new FeedWriter(db, cache, retention)
  return {
    writer,
    reader: createReader(db, cache),
    history: createAccountHistory(db),
    identity: new IdentityRows(db, news, queued),
    keyRelays: createKeyRelays(db, queued),
    intents: createIntents(db, {
      ...{ queued: createQueuedNews(), added: news, keptMs: intentsKeptMs, seen, broadcast },
    }),
    ledger: createLedger(db, intentsKeptMs),
    safeguards: createSafeguards(db, createQueuedNews()),
    notifications: createNotifications(db, news),
    equity: createEquity(db),
    lease: db.lease,
    broadcast,
    announcements: createAnnouncements(db),
    db,
    close: async () => {
      cache.close()
      await broadcast?.close()
      await writer.close()
      await db.close()
    },
  }
}

/** Loaded only when used. */
async function openBroadcast({ feedUrl, log }: StoreOptions): Promise<Broadcast | undefined> {
  if (feedUrl === undefined) return undefined
  const { openNats } = await import('./broadcast/nats.ts')
  return openNats(feedUrl, log)
}

/** Loaded only when used: a process on PostgreSQL need not have it in memory. */
async function openEmbedded(dataDir: string | undefined): Promise<Db> {
  const { openPglite } = await import('./db/pglite.ts')
  return openPglite(dataDir)
}
