// Keeps intents in the database.
import type { Broadcast } from '../broadcast/broadcast.ts'
import type { Db, Sql, SqlCall, SqlRow } from '../db/db.ts'
import { createGrouped } from '../db/grouped.ts'
import type { AddedNews } from '../history/notification-rows.ts'
import type { AddedNotifications } from '../history/notifications.ts'
import type { QueueSignal } from '../identity/key-relay-rows.ts'
import { FeedGone } from '../store.ts'
import {
  decodeIntent,
  decodeOnChain,
  encodeMove,
  encodeNew,
  INTENT_COLUMN_COUNT,
  printed,
} from './intent-codec.ts'
import { DELETED_MAX, INTENT_SQL } from './intent-sql.ts'
import { IntentTail } from './intent-tail.ts'
import {
  type AddResult,
  ChainUnread,
  INTENTS_KEPT_MS,
  INTENTS_PER_COMMIT_MAX,
  type Intent,
  type IntentLogEntry,
  type IntentMove,
  type IntentState,
  type Intents,
  type NewIntent,
} from './intents.ts'
import { isNotified, notifyOrderMoves, takeBackCall } from './order-ends.ts'

/** Maximum number of intents, and of moves, that wait for their commit in a process. */
const WAITING_MAX = 4096
const LIMITS = { purpose: 'intents', perRunMax: INTENTS_PER_COMMIT_MAX, waitingMax: WAITING_MAX }
/** Interval of deletions. */
const DELETE_EVERY_MS = 10_000
const NS_PER_MS = 1_000_000n

/** Result of a commit, and the entries that it added to the log. */
type CommitResult<T> = { answer: T; entries: readonly IntentLogEntry[] }

type IntentsOptions = Readonly<{
  queued: QueueSignal
  added: AddedNews
  keptMs?: number | undefined
  seen?: { log: number }
  broadcast?: Broadcast | undefined
}>

/** Returns the intents in `db`. Each of the news notifies this process of its own commits. */
export function createIntents(
  db: Db,
  { queued, added, keptMs = INTENTS_KEPT_MS, seen, broadcast }: IntentsOptions,
): Intents {
  const list = async (text: string, params: readonly (string | number)[]) =>
    (await db.primary.query(text, params)).map(decodeIntent)
  const readLog = async (seq: number, limit: number) =>
    decodeLog(await db.feed.query(INTENT_SQL.logAfter, [seq, limit]), seq)
  const tail = new IntentTail(db, readLog, seen, broadcast)
  queued.onPublish(() => tail.signal())
  return {
    ...createChanges(createTurns(db, tail), added, keptMs),
    live: () => readLive(db, tail),
    includedFrom: (fromBlock) => list(INTENT_SQL.includedFrom, [fromBlock]),
    givenUpSince: (ns) => list(INTENT_SQL.givenUpSince, [ns.toString()]),
    logAfter: (seq, limit) => tail.after(seq, limit),
    find: (ids) =>
      ids.length === 0 ? Promise.resolve([]) : list(INTENT_SQL.find, [textList(ids)]),
    promisesOf: async (ids) => {
      if (ids.length === 0) return new Map()
      const rows = await db.primary.query(INTENT_SQL.promises, [textList(ids)])
      return new Map(rows.map((row) => [String(row[3]), decodePromise(row)]))
    },
    onChain: async (ids) => {
      if (ids.length === 0) return []
      const rows = await db.primary.query(INTENT_SQL.onChain, [textList(ids)])
      const [awaited = null] = rows[0] ?? []
      if (awaited !== null) throw new ChainUnread(Number(awaited))
      return rows.flatMap(([, ...row]) => (row[0] === null ? [] : [decodeOnChain(row)]))
    },
    findByClientOrderId: async (account, clientOrderId) =>
      (await list(INTENT_SQL.byClientOrderId, [account, clientOrderId]))[0],
    ordersEver: async (account) =>
      decodeSpent((await db.primary.query(INTENT_SQL.spent, [account]))[0]),
    awaitedBlock: async () => {
      const [row] = await db.primary.query(INTENT_SQL.awaitedBlock)
      return row && Number(row[0])
    },
    onLog: (signal) => tail.onSignal(signal),
    writeStatus: async (status, nowMs) => {
      await db.primary.query(INTENT_SQL.writeStatus, [status, nowMs])
      tail.setRelayStatus({ status, updatedMs: nowMs })
    },
    readStatus: () =>
      tail.relayStatus(async () => {
        const [row] = await db.primary.query(INTENT_SQL.readStatus)
        return row && { status: String(row[0]), updatedMs: Number(row[1]) }
      }),
  }
}

async function readLive(db: Db, tail: IntentTail) {
  const rows = await db.primary.query(INTENT_SQL.live)
  const seq = Number(rows[0]?.[0])
  tail.see(seq)
  return { seq, intents: rows.flatMap(([, ...row]) => (row[0] ? [decodeIntent(row)] : [])) }
}

type LogTransactions = Readonly<{
  /** Runs `work` in a transaction with the log's lock. */
  inTurn: <T>(work: (tx: Sql) => Promise<CommitResult<T>>) => Promise<T>
  /** Runs `calls` in such a transaction in one round trip: the lock never waits for us. */
  atOnce: <T>(
    calls: readonly SqlCall[],
    read: (rows: readonly SqlRow[][]) => CommitResult<T>,
  ) => Promise<T>
}>

const createTurns = (db: Db, tail: IntentTail): LogTransactions => ({
  inTurn: (work) =>
    tail.commit(() =>
      db.writeTransaction(async (tx) => {
        await tx.query(INTENT_SQL.lock)
        return work(tx)
      }),
    ),
  atOnce: (calls, read) =>
    tail.commit(async () => {
      const [, ...rows] = await db.writeTogether([{ text: INTENT_SQL.lock }, ...calls])
      return read(rows)
    }),
})

/** Returns the functions that change intents, each grouping callers into one commit. */
function createChanges(
  turns: LogTransactions,
  added: AddedNews,
  keptMs: number,
): Pick<Intents, 'add' | 'move'> {
  const deletion = createDeletion(keptMs)
  return {
    add: createGrouped<NewIntent, AddResult>((intents) => addGroup(turns, intents, deletion), {
      ...LIMITS,
      keysOf: keysOfNew,
    }),
    move: createGrouped<IntentMove, boolean>(
      async (moves) => {
        if (!moves.some(isNotified)) return moveAtOnce(turns, moves)
        const { isMade, ends } = await turns.inTurn((tx) => moveAll(tx, moves))
        added.publish(ends)
        return isMade
      },
      { ...LIMITS, keysOf: ({ id }) => [id] },
    ),
  }
}

/** Adds all at once; intents that partly exist are retried to find what they are. */
async function addGroup(
  { inTurn, atOnce }: LogTransactions,
  intents: readonly NewIntent[],
  deletion: Deletion,
): Promise<readonly AddResult[]> {
  const old = deletion.due(intents)
  const outcomes = await atOnce([addCall(intents), ...old], ([rows = [], gone]) => {
    deletion.done(gone)
    return addedOf(intents, rows)
  })
  const rest = intents.filter((_, at) => outcomes[at] === undefined)
  const others = rest.length === 0 ? [] : await inTurn((tx) => addAll(tx, rest))
  let next = 0
  return outcomes.map((outcome) => outcome ?? (others[next++] as AddResult))
}

/** Two intents with the same id or client order id must see each other. */
const keysOfNew = ({ id, account, clientOrderId }: NewIntent) =>
  clientOrderId === undefined ? [id] : [id, `${account} ${clientOrderId}`]

/** A PostgreSQL array; ids have no quotes, but requested ones may. */
const textList = (texts: readonly string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

const addCall = (intents: readonly NewIntent[]) => ({
  text: INTENT_SQL.add,
  params: [JSON.stringify(intents.map(encodeNew))],
})

/** Reads the intents that the statement added; undefined for the others. */
function addedOf(intents: readonly NewIntent[], rows: readonly SqlRow[]) {
  const byPlace = new Map(rows.map(([at, seq, , orders]) => [Number(at), { seq, orders }]))
  const answer = intents.map((intent, at) => {
    const row = byPlace.get(at)
    return row && addedAs(intent, row)
  })
  const entries = answer.flatMap((outcome) => (outcome ? [beginEntry(outcome.added)] : []))
  return { answer, entries }
}

async function addAll(
  tx: Sql,
  intents: readonly NewIntent[],
): Promise<CommitResult<readonly AddResult[]>> {
  const { text, params } = addCall(intents)
  const { answer, entries } = addedOf(intents, await tx.query(text, params))
  const absent = intents.filter((_, at) => answer[at] === undefined).map(({ id }) => id)
  const existing = absent.length === 0 ? [] : await tx.query(INTENT_SQL.find, [textList(absent)])
  const knownById = new Map(existing.map((row) => [String(row[0]), decodeIntent(row)]))
  const outcomes: AddResult[] = []
  for (const [at, intent] of intents.entries()) {
    const added = answer[at]
    const there = knownById.get(intent.id)
    if (added !== undefined) outcomes.push(added)
    else if (there !== undefined) outcomes.push({ known: there })
    else outcomes.push({ clientOrderIdTaken: await findTaker(tx, intent) })
  }
  return { answer: outcomes, entries }
}

const decodePromise = ([seq, atNs, includeByBlock]: SqlRow) => ({
  seq: Number(seq),
  atNs: BigInt(String(atNs)),
  includeByBlock: Number(includeByBlock),
})

const decodeSpent = ([orders, lastNs]: SqlRow = []) => ({
  orders: Number(orders ?? 0),
  lastMs: Number(BigInt(lastNs ?? 0) / NS_PER_MS),
})

const addedAs = (
  intent: NewIntent,
  { seq, orders }: Readonly<{ seq: RowCell; orders: RowCell }>,
) => ({
  added: begin(intent, Number(seq)),
  ordersEver: Number(orders ?? 0),
})
type RowCell = SqlRow[number] | undefined

type Deletion = Readonly<{
  /** Returns the deletion to run with `added`, if due. */
  due: (added: readonly NewIntent[]) => readonly SqlCall[]
  /** Receives the deleted rows; undefined: no deletion was due. */
  done: (gone: readonly SqlRow[] | undefined) => void
}>

/** Returns the periodic deletion of intents that ended too long before the newest added one. */
function createDeletion(keptMs: number): Deletion {
  let nextMs = Number.NEGATIVE_INFINITY
  return {
    due: (added) => {
      if (performance.now() < nextMs) return []
      const newestNs = added.reduce((most, { receivedNs }) => max(most, receivedNs), 0n)
      const oldestNs = newestNs - BigInt(keptMs) * NS_PER_MS
      return [{ text: INTENT_SQL.deleteOld, params: [oldestNs.toString()] }]
    },
    done: (gone) => {
      // There may be more: the next commit continues.
      if (gone && gone.length < DELETED_MAX) nextMs = performance.now() + DELETE_EVERY_MS
    },
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)

async function findTaker(tx: Sql, { account, clientOrderId = '' }: NewIntent): Promise<string> {
  const [[id] = []] = await tx.query(INTENT_SQL.takenBy, [account, clientOrderId])
  return String(id)
}

type MoveResult = Readonly<{ isMade: readonly boolean[]; ends: readonly AddedNotifications[] }>

/** Makes moves without notifications. */
function moveAtOnce({ atOnce }: LogTransactions, moves: readonly IntentMove[]) {
  const back = takeBackCall(moves)
  return atOnce([moveCall(moves), ...(back ? [back] : [])], ([rows = []]) => movedOf(moves, rows))
}

const moveCall = (moves: readonly IntentMove[]) => ({
  text: INTENT_SQL.move,
  params: [JSON.stringify(moves.map(encodeMove))],
})

/** Reads which of `moves` the statement made. */
function movedOf(
  moves: readonly IntentMove[],
  rows: readonly SqlRow[],
): CommitResult<readonly boolean[]> {
  const made = new Set(rows.map(([at]) => Number(at)))
  const entries = rows
    .map(([at, seq, promise, atNs]) => {
      const move = { ...(moves[Number(at)] as IntentMove), atNs: BigInt(String(atNs)) }
      return moveEntry(move, Number(seq), Number(promise))
    })
    .sort((a, b) => a.seq - b.seq)
  return { answer: moves.map((_, at) => made.has(at)), entries }
}

async function moveAll(tx: Sql, moves: readonly IntentMove[]): Promise<CommitResult<MoveResult>> {
  const { text, params } = moveCall(moves)
  const { answer: isMade, entries } = movedOf(moves, await tx.query(text, params))
  const ends = await notifyOrderMoves(
    tx,
    moves.filter((_, at) => isMade[at]),
  )
  return { answer: { isMade, ends }, entries }
}

const beginEntry = (intent: Intent): IntentLogEntry => ({
  seq: intent.seq,
  id: intent.id,
  state: intent.state,
  atNs: intent.receivedNs,
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
  includeByBlock: intent.includeByBlock,
  intent,
})

const moveEntry = (move: IntentMove, seq: number, includeByBlock: number): IntentLogEntry => ({
  seq,
  id: move.id,
  state: move.to,
  atNs: move.atNs,
  txHash: move.txHash,
  blockNumber: move.blockNumber,
  reason: printed(move.reason),
  includeByBlock,
  intent: undefined,
})

const begin = (intent: NewIntent, seq: number): Intent => ({
  ...intent,
  seq,
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
  updatedNs: intent.receivedNs,
})

/** The row may have moved on since. */
const initialIntent = (intent: Intent, state: IntentState, includeByBlock: number): Intent => ({
  ...begin({ ...intent, state: 'queued', includeByBlock }, intent.seq),
  state,
})

/** Throws `FeedGone` when the log ends elsewhere and nothing follows `seq`. */
function decodeLog(rows: readonly SqlRow[], seq: number): readonly IntentLogEntry[] {
  const [[last, first] = []] = rows
  if (first != null) return rows.map(([, ...row]) => decodeEntry(row))
  if (Number(last) === seq) return []
  throw new FeedGone(`the log of intents ends with ${last}, not ${seq}`)
}

function decodeEntry(row: SqlRow): IntentLogEntry {
  const [seq, id, state, at, txHash, block, reason, includeBy] = row
  const intent = row.slice(-INTENT_COLUMN_COUNT)
  return {
    seq: Number(seq),
    id: String(id),
    state: state as IntentState,
    atNs: BigInt(at as string),
    txHash: txHash ?? undefined,
    blockNumber: block == null ? undefined : Number(block),
    reason: reason ?? undefined,
    includeByBlock: Number(includeBy),
    intent:
      intent[0] == null
        ? undefined
        : initialIntent(decodeIntent(intent), state as IntentState, Number(includeBy)),
  }
}
