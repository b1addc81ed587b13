// Intents in the database.
import type { Db, Sql, SqlRow } from './db.ts'
import { createGrouped } from './grouped.ts'
import { decodeIntent, decodeOnChain, encodeMove, encodeNew, printed } from './intent-codec.ts'
import { DELETED_MAX, INTENT_SQL } from './intent-sql.ts'
import { IntentTail } from './intent-tail.ts'
import {
  type AddOutcome,
  INTENTS_KEPT_MS,
  INTENTS_PER_COMMIT_MAX,
  type Intent,
  type IntentLogEntry,
  type IntentMove,
  type IntentState,
  type Intents,
  type NewIntent,
} from './intents.ts'
import type { QueuedNews } from './key-relay-rows.ts'
import type { AddedNews } from './notification-rows.ts'
import type { AddedNotifications } from './notifications.ts'
import { notifyOrderEnds } from './order-ends.ts'

/** Of intents, and of moves: those that wait for their commit in one process. */
const WAITING_MAX = 4096
const LIMITS = { purpose: 'intents', perRunMax: INTENTS_PER_COMMIT_MAX, waitingMax: WAITING_MAX }
/** They are looked for this often. */
const DELETE_EVERY_MS = 10_000
const NS_PER_MS = 1_000_000n
/** Cells of an intent. */
const COLUMN_COUNT = 19

type IntentsDeps = Readonly<{ queued: QueuedNews; added: AddedNews; keptMs?: number | undefined }>

/** What a commit answers, and the entries it has added to the log. */
type Done<T> = { answer: T; entries: readonly IntentLogEntry[] }

/** Returns the intents in `db`. Each of the news notifies this process of its own commits. */
export function createIntents(
  db: Db,
  { queued, added, keptMs = INTENTS_KEPT_MS }: IntentsDeps,
): Intents {
  const list = async (text: string, params: readonly (string | number)[]) =>
    (await db.primary.query(text, params)).map(decodeIntent)
  const readLog = async (seq: number, limit: number) =>
    (await db.primary.query(INTENT_SQL.logAfter, [seq, limit])).map(decodeEntry)
  const tail = new IntentTail(db, readLog)
  queued.hear(() => tail.signal())
  const inTurn = <T>(work: (tx: Sql, seq: number) => Promise<Done<T>>): Promise<T> =>
    tail.commit(() =>
      db.writeTransaction(async (tx) => {
        const [[seq] = []] = await tx.query(INTENT_SQL.lock)
        return work(tx, Number(seq))
      }),
    )
  return {
    ...createChanges(inTurn, added, keptMs),
    live: async () => {
      const rows = await db.primary.query(INTENT_SQL.live)
      const seq = Number(rows[0]?.[0])
      return { seq, intents: rows.flatMap(([, ...row]) => (row[0] ? [decodeIntent(row)] : [])) }
    },
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
    onChain: async (ids) =>
      ids.length === 0
        ? []
        : (await db.primary.query(INTENT_SQL.onChain, [textList(ids)])).map(decodeOnChain),
    findByClientOrderId: async (account, clientOrderId) =>
      (await list(INTENT_SQL.byClientOrderId, [account, clientOrderId]))[0],
    ordersEver: async (account) =>
      decodeSpent((await db.primary.query(INTENT_SQL.spent, [account]))[0]),
    onLog: (signal) => tail.onSignal(signal),
    writeStatus: async (status, nowMs) => {
      await db.primary.query(INTENT_SQL.writeStatus, [status, nowMs])
      tail.say({ status, updatedMs: nowMs })
    },
    readStatus: () =>
      tail.said(async () => {
        const [row] = await db.primary.query(INTENT_SQL.readStatus)
        return row && { status: String(row[0]), updatedMs: Number(row[1]) }
      }),
  }
}

type InTurn = <T>(work: (tx: Sql, seq: number) => Promise<Done<T>>) => Promise<T>

/** Returns what changes intents: each a group of callers, in one commit. */
function createChanges(
  inTurn: InTurn,
  added: AddedNews,
  keptMs: number,
): Pick<Intents, 'add' | 'move'> {
  const deleteOld = createDeletion(keptMs)
  return {
    add: createGrouped<NewIntent, AddOutcome>(
      (intents) =>
        inTurn(async (tx, seq) => {
          const done = await addAll(tx, intents, seq)
          await deleteOld(tx, intents)
          return done
        }),
      { ...LIMITS, keysOf: keysOfNew },
    ),
    move: createGrouped<IntentMove, boolean>(
      async (moves) => {
        const { isMade, ends } = await inTurn((tx, seq) => moveAll(tx, moves, seq))
        added.publish(ends)
        return isMade
      },
      { ...LIMITS, keysOf: ({ id }) => [id] },
    ),
  }
}

/** Two of one id, or of one client order id, must see each other. */
const keysOfNew = ({ id, account, clientOrderId }: NewIntent) =>
  clientOrderId === undefined ? [id] : [id, `${account} ${clientOrderId}`]

/** An array for PostgreSQL; ids hold no quotes, but whoever asks may. */
const textList = (texts: readonly string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

async function addAll(
  tx: Sql,
  intents: readonly NewIntent[],
  seq: number,
): Promise<Done<readonly AddOutcome[]>> {
  const given = JSON.stringify(intents.map(encodeNew))
  const rows = await tx.query(INTENT_SQL.add, [given, seq])
  const added = new Map(rows.map(([at, own, , orders]) => [Number(at), { own, orders }]))
  const absent = intents.filter((_, at) => !added.has(at)).map(({ id }) => id)
  const known = absent.length === 0 ? [] : await tx.query(INTENT_SQL.find, [textList(absent)])
  const knownById = new Map(known.map((row) => [String(row[0]), decodeIntent(row)]))
  const outcomes: AddOutcome[] = []
  for (const [at, intent] of intents.entries()) {
    const own = added.get(at)
    const there = knownById.get(intent.id)
    if (own !== undefined) outcomes.push(addedAs(intent, own))
    else if (there !== undefined) outcomes.push({ known: there })
    else outcomes.push({ clientOrderIdTaken: await findTaker(tx, intent) })
  }
  const entries = outcomes.flatMap((outcome) =>
    'added' in outcome ? beginEntry(outcome.added) : [],
  )
  return { answer: outcomes, entries }
}

const decodePromise = ([seq, atNs, includeByBlock]: SqlRow) => ({
  ...{ seq: Number(seq), atNs: BigInt(String(atNs)), includeByBlock: Number(includeByBlock) },
})

const decodeSpent = ([orders, lastNs]: SqlRow = []) => ({
  orders: Number(orders ?? 0),
  lastMs: Number(BigInt(lastNs ?? 0) / NS_PER_MS),
})

const addedAs = (intent: NewIntent, { own, orders }: Readonly<{ own: Cell; orders: Cell }>) => ({
  added: begin(intent, Number(own)),
  ordersEver: Number(orders ?? 0),
})
type Cell = SqlRow[number] | undefined

/** Returns what now and then deletes what ended too long before the newest of `added`. */
function createDeletion(keptMs: number) {
  let nextMs = Number.NEGATIVE_INFINITY
  return async (tx: Sql, added: readonly NewIntent[]): Promise<void> => {
    if (performance.now() < nextMs) return
    const newestNs = added.reduce((most, { receivedNs }) => max(most, receivedNs), 0n)
    const oldestNs = newestNs - BigInt(keptMs) * NS_PER_MS
    const gone = await tx.query(INTENT_SQL.deleteOld, [oldestNs.toString()])
    // There may be more of them: the next commit goes on.
    if (gone.length < DELETED_MAX) nextMs = performance.now() + DELETE_EVERY_MS
  }
}

const max = (one: bigint, other: bigint) => (one > other ? one : other)

async function findTaker(tx: Sql, { account, clientOrderId = '' }: NewIntent): Promise<string> {
  const [[id] = []] = await tx.query(INTENT_SQL.takenBy, [account, clientOrderId])
  return String(id)
}

type Moved = Readonly<{ isMade: readonly boolean[]; ends: readonly AddedNotifications[] }>

async function moveAll(tx: Sql, moves: readonly IntentMove[], seq: number): Promise<Done<Moved>> {
  const rows = await tx.query(INTENT_SQL.move, [JSON.stringify(moves.map(encodeMove)), seq])
  const made = new Set(rows.map(([at]) => Number(at)))
  const entries = rows
    .map(([at, own, promise]) =>
      moveEntry(moves[Number(at)] as IntentMove, Number(own), Number(promise)),
    )
    .sort((one, other) => one.seq - other.seq)
  const isMade = moves.map((_, at) => made.has(at))
  const ends = await notifyOrderEnds(
    tx,
    moves.filter((_, at) => isMade[at]),
  )
  return { answer: { isMade, ends }, entries }
}

const beginEntry = (intent: Intent): IntentLogEntry => ({
  ...{ seq: intent.seq, id: intent.id, state: intent.state, atNs: intent.receivedNs },
  ...{ txHash: undefined, blockNumber: undefined, reason: undefined },
  ...{ includeByBlock: intent.includeByBlock, intent },
})

const moveEntry = (move: IntentMove, seq: number, includeByBlock: number): IntentLogEntry => ({
  ...{ seq, id: move.id, state: move.to, atNs: move.atNs },
  ...{ txHash: move.txHash, blockNumber: move.blockNumber, reason: printed(move.reason) },
  ...{ includeByBlock, intent: undefined },
})

const begin = (intent: NewIntent, seq: number): Intent => ({
  ...intent,
  seq,
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
  updatedNs: intent.receivedNs,
})

/** The row may have gone on since. */
const atItsBegin = (intent: Intent, state: IntentState, includeByBlock: number): Intent => ({
  ...begin({ ...intent, state: 'queued', includeByBlock }, intent.seq),
  state,
})

function decodeEntry(row: SqlRow): IntentLogEntry {
  const [seq, id, state, at, txHash, block, reason, includeBy] = row
  const intent = row.slice(-COLUMN_COUNT)
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
        : atItsBegin(decodeIntent(intent), state as IntentState, Number(includeBy)),
  }
}
