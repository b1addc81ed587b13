// The writer: a run of blocks is committed as a whole with its checkpoint, or not at all.
import { invariant } from '@openvenue/core/assert'
import type { BlockChanges } from '@openvenue/core/changes'
import type { Header } from '@openvenue/core/events'
import type { VenueState } from '@openvenue/core/state'
import { type Checkpoint, HEADER_COLUMNS, headerOfRow, readCheckpoint } from '../db/checkpoint.ts'
import type { Db, DbSession, Sql } from '../db/db.ts'
import { dropPartitions, type Partitions, readAllPartitions } from '../db/partitions.ts'
import { WIPED_TABLES } from '../db/table-list.ts'
import { readOrigins } from '../history/order-origins.ts'
import { expireCandlesCall } from '../history/retention.ts'
import {
  type Audience,
  type FeedEntry,
  type NotificationBatch,
  type Writer,
  WriterBusy,
} from '../store.ts'
import { type BatchInput, writeBatch } from './batch.ts'
import type { FeedCache } from './feed-cache.ts'
import { readState } from './load.ts'
import { STATEMENTS, signalCall } from './session-statements.ts'
import { undoEntries } from './undo.ts'

const DAY_SECONDS = 86_400
/** Interval between checks for old data: dropping a partition and reading it exclude each other. */
const DROP_EVERY_MS = 10_000

/** Retention of data that the interface otherwise promises permanently; 0 or absent: no limit. */
export type Retention = Readonly<{
  /** Fills and related tables, a partition at a time. */
  historyKeptDays?: number | undefined
  minuteCandlesKeptDays?: number | undefined
}>

type WriterState = {
  session: DbSession
  partitions: Partitions
  checkpoint: Checkpoint
  /** Above the head: notifications up to this block may be of blocks that the chain has dropped. */
  strayTo: number
}

/** `isCarried`: readers need no signal of PostgreSQL. */
type AppendWrite = (from: WriterState, isCarried: boolean) => Promise<void>

/**
 * The writer of a database. It takes the writer's session at the first call. Its members are
 * values, so that a copy may override some.
 */
export class FeedWriter implements Writer {
  readonly #db: Db
  readonly #cache: FeedCache
  readonly #retention: Retention
  #state: WriterState | undefined
  /** Time of the next check for old data, by performance.now(). */
  #dropMs = 0

  constructor(db: Db, cache: FeedCache, retention: Retention = {}) {
    this.#db = db
    this.#cache = cache
    this.#retention = retention
  }

  readonly readFor = async (contracts: readonly string[]): Promise<boolean> => {
    return readFor(await this.#take(), this.#cache, contracts)
  }

  readonly keepGenesis = async (hash: string): Promise<string> => {
    return keepGenesis(await this.#take(), hash)
  }

  readonly loadState = async (): Promise<VenueState> => {
    const { session } = await this.#take()
    return session.transaction(async (tx) => (await readState(tx)).state)
  }

  readonly commit = async (
    blocks: readonly BlockChanges[],
    finalizedNumber: number,
    batch: NotificationBatch = NOTHING,
  ): Promise<void> => {
    if (blocks.length === 0) return
    const from = await this.#take()
    const { checkpoint } = from
    checkOrder(checkpoint.head, blocks, finalizedNumber)
    const entries = blocks.map(({ header, changes }, index) => ({
      seq: checkpoint.seq + 1 + index,
      kind: 'apply' as const,
      header,
      changes,
    }))
    const keep = describeAdded(from, blocks, finalizedNumber, batch)
    await this.#append(entries, async (state, isCarried) => {
      await writeBatch({ ...state, isCarried }, entries, keep)
      state.checkpoint = { ...state.checkpoint, notifiedTo: keep.notifiedTo }
    })
    await this.#dropOld(from)
  }

  readonly readAudience = async (): Promise<Audience> => {
    const { checkpoint } = await this.#take()
    return readAudience(this.#db.primary, checkpoint.notifiedTo)
  }

  readonly readOrigins = (refs: readonly string[]) => readOrigins(this.#db.primary, refs)

  readonly undoTo = async (number: number): Promise<void> => {
    const { session, checkpoint } = await this.#take()
    const entries = await session.transaction((tx) => undoEntries(tx, checkpoint, number))
    if (entries.length === 0) return
    const keep = { undoneTo: number, notifiedTo: checkpoint.notifiedTo }
    await this.#append(entries, (state, isCarried) =>
      writeBatch({ ...state, isCarried }, entries, keep),
    )
  }

  readonly readHeader = async (number: number): Promise<Header | undefined> => {
    const text = `SELECT ${HEADER_COLUMNS} FROM blocks WHERE number = $1`
    const [row] = await this.#db.primary.query(text, [number])
    return row && headerOfRow(row)
  }

  readonly wipeChain = async (): Promise<void> => {
    await drop(await this.#take(), this.#cache, 'forgotten')
  }

  readonly close = async (): Promise<void> => {
    const session = this.#state?.session
    this.#state = undefined
    await session?.close()
  }

  /** Drops a bounded part of the history beyond its retention. */
  async #dropOld({ session, partitions, checkpoint }: WriterState): Promise<void> {
    const { historyKeptDays = 0, minuteCandlesKeptDays = 0 } = this.#retention
    if (historyKeptDays === 0 && minuteCandlesKeptDays === 0) return
    if (checkpoint.head === undefined || performance.now() < this.#dropMs) return
    this.#dropMs = performance.now() + DROP_EVERY_MS
    const { seconds } = checkpoint.head
    if (historyKeptDays > 0)
      await dropPartitions(session, partitions, seconds - historyKeptDays * DAY_SECONDS)
    if (minuteCandlesKeptDays > 0)
      await session.run([expireCandlesCall(seconds - minuteCandlesKeptDays * DAY_SECONDS)])
  }

  async #take(): Promise<WriterState> {
    if (this.#state?.session.isOpen()) return this.#state
    this.#state = undefined
    // Another process may have written while the lock was free.
    this.#cache.reset()
    const session = await this.#db.session(() => this.#cache.reset())
    if (session === undefined) throw new WriterBusy('one process writes at a time')
    try {
      await session.prepare(STATEMENTS)
      const checkpoint = await session.transaction(readCheckpoint)
      const partitions = await session.transaction(readAllPartitions)
      const strayTo = await session.transaction(readStrayTo)
      this.#state = { session, partitions, checkpoint, strayTo }
      return this.#state
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async #append(entries: FeedEntry[], write: AppendWrite): Promise<void> {
    const from = await this.#take()
    const isCarried = this.#cache.carries(entries)
    await write(from, isCarried)
    const last = entries.at(-1) as FeedEntry
    from.checkpoint = { ...from.checkpoint, seq: last.seq, head: last.header }
    this.#cache.publish(entries, isCarried)
  }
}

/**
 * Each block must be the child of the previous one. Only final blocks may be omitted, as a backfill
 * does with blocks without logs.
 */
function checkOrder(
  head: Header | undefined,
  blocks: readonly BlockChanges[],
  finalizedNumber: number,
): void {
  let last = head
  for (const { header } of blocks) {
    if (last !== undefined) {
      const isNext = header.number === last.number + 1 && header.parentHash === last.hash
      const isBeyondFinal = header.number > last.number + 1 && header.number <= finalizedNumber + 1
      invariant(isNext || isBeyondFinal, 'a block follows the last one committed', {
        number: header.number,
        parentHash: header.parentHash,
        last: last.number,
        lastHash: last.hash,
      })
    }
    last = header
  }
}

async function readFor(
  state: WriterState,
  cache: FeedCache,
  contracts: readonly string[],
): Promise<boolean> {
  const { session, checkpoint } = state
  const expected = contracts.toSorted().join(',')
  const [[stored] = []] = await session.transaction((tx) =>
    tx.query('SELECT contracts FROM checkpoint'),
  )
  if (stored === expected) return false
  const isRead = checkpoint.head !== undefined
  if (isRead) await drop(state, cache, 'awaited')
  await session.transaction((tx) => tx.query('UPDATE checkpoint SET contracts = $1', [expected]))
  return isRead
}

async function keepGenesis({ session, checkpoint }: WriterState, hash: string): Promise<string> {
  return session.transaction(async (tx) => {
    const [[stored] = []] = await tx.query('SELECT genesis FROM checkpoint')
    if (checkpoint.head !== undefined && stored !== null) return String(stored)
    await tx.query('UPDATE checkpoint SET genesis = $1', [hash])
    return hash
  })
}

/** `awaited`: the wiped blocks will be re-read, and do not count as undone until then. */
type WipeMode = 'awaited' | 'forgotten'

async function drop(state: WriterState, cache: FeedCache, wipedBlocks: WipeMode): Promise<void> {
  state.strayTo = await wipe(state.session, wipedBlocks)
  state.checkpoint = { ...state.checkpoint, seq: state.checkpoint.seq + 1, head: undefined }
  cache.reset()
}

/**
 * Readers lock the checkpoint while they read, so that none sees half-empty tables. The feed's
 * number continues after a gap, so that readers reload.
 */
const wipe = (session: DbSession, wipedBlocks: WipeMode) =>
  session.transaction(async (tx) => {
    await tx.query('LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE')
    await tx.query(`TRUNCATE ${WIPED_TABLES.join(', ')}`)
    const awaited = wipedBlocks === 'awaited' ? 'greatest(restored_to, number)' : 'NULL'
    await tx.query(`UPDATE checkpoint SET restored_to = ${awaited}`)
    await tx.query(
      `UPDATE checkpoint SET seq = seq + 1, number = NULL, hash = NULL, parent_hash = NULL, seconds = NULL,
        genesis = NULL`,
    )
    // A final block that started or ended a warning will do so again.
    await tx.query('DELETE FROM margin_warnings WHERE began > (SELECT notified_to FROM checkpoint)')
    await tx.query(
      'UPDATE margin_warnings SET ended = NULL WHERE ended > (SELECT notified_to FROM checkpoint)',
    )
    await tx.run([signalCall()])
    return readStrayTo(tx)
  })

const NOTHING: NotificationBatch = { notifications: [], turns: [] }

function describeAdded(
  { checkpoint, strayTo }: WriterState,
  blocks: readonly BlockChanges[],
  finalizedNumber: number,
  { notifications, turns }: NotificationBatch,
): BatchInput {
  const from = (checkpoint.head?.number ?? -1) + 1
  const to = (blocks.at(-1) as BlockChanges).header.number
  return {
    finalizedNumber,
    notifiedTo: Math.max(checkpoint.notifiedTo, Math.min(finalizedNumber, to)),
    notificationBatch: {
      notifications: notifications.filter(({ header }) => header.number > checkpoint.notifiedTo),
      turns: turns.filter(({ number }) => number > checkpoint.notifiedTo),
    },
    strays: from > strayTo ? undefined : { from, to },
  }
}

const AUDIENCE = `SELECT r.since, w.engine, w.account
  FROM (SELECT min(created_ms) / 1000 AS since FROM registrations) r
  LEFT JOIN margin_warnings w ON w.ended IS NULL`

/** Reads the accounts that are notified of blocks; see `Writer.readAudience`. */
async function readAudience(sql: Sql, notifiedTo: number): Promise<Audience> {
  const rows = await sql.query(AUDIENCE)
  const since = rows[0]?.[0] ?? null
  return {
    notifiedTo,
    sinceSeconds: since === null ? undefined : Number(since),
    warned: rows.flatMap(([, engine, account]) =>
      engine == null ? [] : [{ engine, account: Number(account) }],
    ),
  }
}

/** Returns the highest block with notifications; -1 for none. */
async function readStrayTo(sql: Sql): Promise<number> {
  const [row] =
    await sql.query(`SELECT block_number FROM notifications WHERE block_number IS NOT NULL
    ORDER BY block_number DESC LIMIT 1`)
  return Number(row?.[0] ?? -1)
}
