// Safeguards in the database.
import type { Db, SqlRow } from '../db/db.ts'
import { columnList, decodeRecord } from '../db/tables.ts'
import type { QueueSignal } from '../identity/key-relay-rows.ts'
import { decodeIntent, INTENT_COLUMN_COUNT, INTENT_COLUMNS } from './intent-codec.ts'
import { endedSince } from './intent-sql.ts'
import {
  type CancelTimer,
  EXCLUDING_MAX,
  type MmpRule,
  type ParentFate,
  type PreSignedCancelAll,
  SAFEGUARDS_CHANNEL,
  type Safeguards,
  type StopOrder,
} from './safeguards.ts'

/** Length of the engine's part of a market's id: 0x and the address. */
const ENGINE_CHARS = 42
/** The database's clock, since those of nodes may differ. */
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
/** Maximum clock correction that is ignored. */
const CLOCK_SLACK_MS = 2_000
const NOTIFY = `pg_notify('${SAFEGUARDS_CHANNEL}', '')::text`
const TAKE_NUMBER = `head AS (
    UPDATE safeguard_head SET changed = changed + 1 RETURNING changed
  )`
const MMP_COLUMNS = `m.account, m.wallet, m.asset, m.interval_seconds, m.frozen_seconds,
  m.amount_limit, m.delta_limit, m.reset_ms, m.frozen_ms`

/** Condition of the index on stop orders. */
const IS_STOP = `i.kind = 'order' AND (i.payload::jsonb #>> '{order,triggerKind}') <> '0'`
/** Salts of an account are separate for each engine. */
const ENGINE_OF = `left(i.market, ${ENGINE_CHARS})`
const SALT_OF = `(i.payload::jsonb #>> '{order,salt}')`
const NS_PER_SECOND = 1_000_000_000
/** Beyond every place of arrival. */
const SEQ_END = Number.MAX_SAFE_INTEGER

/** Every statement, so that their plans can be checked. */
const SAFEGUARD_SQL = {
  arm: `INSERT INTO cancel_timers (account, wallet, timeout_ms, armed_ms, trigger_ms,
      includes_triggers, cancel_alls)
    SELECT $1, $2, $3::bigint, now_ms, now_ms + $3::bigint, $4::boolean, $5
    FROM (SELECT ${NOW_MS} AS now_ms) AS clock
    ON CONFLICT (account) DO UPDATE SET wallet = excluded.wallet,
      timeout_ms = excluded.timeout_ms, trigger_ms = excluded.trigger_ms,
      armed_ms = greatest(excluded.armed_ms, cancel_timers.armed_ms + 1),
      includes_triggers = excluded.includes_triggers, cancel_alls = excluded.cancel_alls
    RETURNING trigger_ms`,
  disarm: 'DELETE FROM cancel_timers WHERE account = $1',
  /** A timer that is re-armed is not due: its end is later than the time at which it was armed. */
  due: `WITH anew AS (
      UPDATE cancel_timers SET armed_ms = ${NOW_MS}, trigger_ms = ${NOW_MS} + timeout_ms
      WHERE armed_ms > ${NOW_MS} + ${CLOCK_SLACK_MS}
    )
    SELECT account, wallet, timeout_ms, armed_ms, trigger_ms, includes_triggers, cancel_alls
    FROM cancel_timers WHERE trigger_ms <= (SELECT ${NOW_MS}) ORDER BY trigger_ms LIMIT $1`,
  /** A timer that is to be re-armed counts as expired. */
  nextTimer: `SELECT min(CASE WHEN armed_ms > ${NOW_MS} + ${CLOCK_SLACK_MS} THEN 0
      ELSE trigger_ms END) - ${NOW_MS} FROM cancel_timers`,
  endTimer: 'DELETE FROM cancel_timers WHERE account = $1 AND armed_ms = $2',

  setDisconnect: `WITH ${TAKE_NUMBER}
    INSERT INTO disconnect_rules (account, is_enabled, changed)
    SELECT $1, $2::boolean, changed FROM head
    ON CONFLICT (account) DO UPDATE SET is_enabled = excluded.is_enabled,
      changed = excluded.changed
    RETURNING ${NOTIFY}`,
  readDisconnect: 'SELECT is_enabled::text FROM disconnect_rules WHERE account = $1',
  beat: `INSERT INTO socket_nodes (node, beats) VALUES ($1, 1)
    ON CONFLICT (node) DO UPDATE SET beats = socket_nodes.beats + 1 RETURNING beats`,
  nodes: 'SELECT node, beats FROM socket_nodes',
  forgetNode: 'DELETE FROM socket_nodes WHERE node = $1 AND beats = $2',
  endConnections: `WITH added AS (
      INSERT INTO ended_connections (connection)
      SELECT * FROM jsonb_array_elements_text($1::jsonb) ON CONFLICT DO NOTHING
    ) SELECT ${NOTIFY}`,
  endedConnections: 'SELECT connection FROM ended_connections LIMIT $1',
  forgetConnections: `DELETE FROM ended_connections
    WHERE connection IN (SELECT * FROM jsonb_array_elements_text($1::jsonb))`,

  setMmp: `WITH ${TAKE_NUMBER}
    INSERT INTO mmp_rules (account, wallet, asset, interval_seconds, frozen_seconds,
      amount_limit, delta_limit, reset_ms, changed)
    SELECT $1, $2, $3, $4::bigint, $5::bigint, $6::numeric, $7::numeric, ${NOW_MS}, changed
    FROM head
    ON CONFLICT (account, asset) DO UPDATE SET interval_seconds = excluded.interval_seconds,
      frozen_seconds = excluded.frozen_seconds, amount_limit = excluded.amount_limit,
      delta_limit = excluded.delta_limit, frozen_ms = NULL, changed = excluded.changed,
      reset_ms = greatest(excluded.reset_ms, mmp_rules.reset_ms + 1)
    RETURNING ${NOTIFY}`,
  resetMmp: `WITH ${TAKE_NUMBER}
    UPDATE mmp_rules m SET frozen_ms = NULL, reset_ms = greatest(${NOW_MS}, m.reset_ms + 1),
      changed = head.changed
    FROM head WHERE m.account = $1 AND m.asset = $2 RETURNING ${NOTIFY}`,
  freezeMmp: `WITH ${TAKE_NUMBER}
    UPDATE mmp_rules m SET frozen_ms = ${NOW_MS}, changed = head.changed
    FROM head WHERE m.account = $1 AND m.asset = $2 AND m.reset_ms = $3 RETURNING ${NOTIFY}`,
  readMmp: `SELECT ${NOW_MS}, ${MMP_COLUMNS}
    FROM (SELECT 1) AS one LEFT JOIN mmp_rules m ON m.account = $1 ORDER BY m.asset`,

  mmpFills: `SELECT found.* FROM jsonb_to_recordset($1::jsonb)
      AS scan(account bigint, market text, after_seconds bigint, bucket_seconds bigint)
    CROSS JOIN LATERAL (
      SELECT f.account, f.market, f.is_buy::text, sum(f.lots) AS lots,
        max(f.seconds) AS seconds
      FROM fills f JOIN intents i ON i.id = f.ref
      WHERE f.account = scan.account AND f.market = scan.market
        AND f.seconds > scan.after_seconds AND f.block_number <= $2
        AND i.payload::jsonb ->> 'isMmp' = 'true'
      GROUP BY f.account, f.market, f.is_buy, f.seconds / scan.bucket_seconds
    ) AS found ORDER BY found.seconds`,

  head: `SELECT changed, ${NOW_MS} FROM safeguard_head`,
  disconnects: `SELECT account, is_enabled::text FROM disconnect_rules
    WHERE changed > $1 AND changed <= $2`,
  mmp: `SELECT ${MMP_COLUMNS} FROM mmp_rules m WHERE m.changed > $1 AND m.changed <= $2`,
  stops: (isAscending: boolean) => `SELECT ${INTENT_COLUMNS}, ${columnList('order', 'o.')}
    FROM intents i LEFT JOIN orders o ON o.ref = i.id AND ${endedSince('i')}
    WHERE i.account = $1 AND ${IS_STOP} AND i.seq ${isAscending ? '>' : '<'} $2
    ORDER BY i.seq ${isAscending ? 'ASC' : 'DESC'} LIMIT $3`,
  countStops: `SELECT count(*) FROM intents i WHERE i.account = $1 AND ${IS_STOP}`,
  excluded: `WITH lately AS (
      SELECT i.id, i.account, ${ENGINE_OF} AS engine, ${SALT_OF} AS salt FROM intents i
      WHERE i.state = 'included' AND i.kind = 'order'
      ORDER BY i.updated_ns DESC LIMIT ${EXCLUDING_MAX}
    ) SELECT DISTINCT i.id FROM intents i JOIN lately l
      ON l.account = i.account AND l.engine = ${ENGINE_OF} AND l.salt = ${SALT_OF} AND l.id <> i.id
    WHERE i.state = 'received' AND i.kind = 'order'`,
  parents: `SELECT given.id, i.state, o.filled_lots, o.resting_lots, o.status, o.reason
    FROM jsonb_array_elements_text($1::jsonb) AS given(id)
    LEFT JOIN intents i ON i.id = given.id
    LEFT JOIN orders o ON o.ref = given.id AND ${endedSince('i')}`,
  /**
   * An order is for the position that is open at its acceptance, or the next one of its side; a
   * child for the position of its parent's first fill. A cycle that ended in the second of its
   * arrival counts unless a position of that side is open again.
   */
  orphaned: `SELECT held.id FROM (
      SELECT i.id, i.account, i.market,
        (i.payload::jsonb #>> '{order,isBuy}') <> 'true' AS protects_long,
        CASE WHEN i.parent_id IS NULL THEN i.received_ns / ${NS_PER_SECOND}
          ELSE (
            SELECT greatest(min(f.seconds), i.received_ns / ${NS_PER_SECOND})
            FROM orders o JOIN fills f ON f.account = i.account AND f.market = i.market
              AND f.seconds >= o.created_seconds AND f.ref = o.ref
            WHERE o.ref = i.parent_id HAVING count(*) > 0
          )
        END AS since
      FROM jsonb_array_elements_text($1::jsonb) AS given(id)
      JOIN intents i ON i.id = given.id
      WHERE i.state = 'received' AND (i.payload::jsonb #>> '{order,reduceOnly}') = 'true'
    ) AS held
    WHERE EXISTS (
      SELECT FROM position_cycles c
      WHERE c.account = held.account AND c.market = held.market
        AND c.is_long = held.protects_long AND c.seconds >= held.since
        AND (c.seconds > held.since OR NOT EXISTS (
          SELECT FROM positions p WHERE p.market = held.market AND p.account = held.account
            AND p.lots <> 0 AND (p.lots > 0) = held.protects_long
        ))
    )`,
} as const

type SqlName = Exclude<keyof typeof SAFEGUARD_SQL, 'stops'>
type Param = string | number | null

/** Returns the safeguards in `db`. `news` notifies this process of its commits. */
export function createSafeguards(db: Db, news: QueueSignal): Safeguards {
  const run = (name: SqlName, params: readonly Param[] = []) =>
    db.primary.query(SAFEGUARD_SQL[name], params)
  const write = async (name: SqlName, params: readonly Param[] = []) => {
    const rows = await run(name, params)
    news.publish()
    return rows
  }
  const parts = { run, write }
  return {
    ...createTimers(parts),
    ...createDisconnects(parts),
    ...createMmp(parts),
    changesAfter: async (changed) => {
      const [[newest, nowMs] = []] = await run('head')
      if (Number(newest) === changed)
        return { changed, disconnects: [], mmp: [], nowMs: Number(nowMs) }
      const range = [changed, Number(newest)]
      const disconnects = (await run('disconnects', range)).map(([account, isEnabled]) => ({
        account: Number(account),
        isEnabled: isEnabled === 'true',
      }))
      const mmp = (await run('mmp', range)).map(decodeMmp)
      return { changed: Number(newest), disconnects, mmp, nowMs: Number(nowMs) }
    },
    onChange: (signal) => {
      const heard = () => signal()
      const stops = [news.onPublish(signal), db.listen(SAFEGUARDS_CHANNEL, heard, heard)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    stops: async ({ account, after, isAscending, limit }) => {
      const from = after ?? (isAscending ? -1 : SEQ_END)
      const text = SAFEGUARD_SQL.stops(isAscending)
      return (await db.primary.query(text, [account, from, limit])).map(decodeStop)
    },
    countStops: async (account) => Number((await run('countStops', [account]))[0]?.[0]),
    excluded: async () => (await run('excluded')).map(([id]) => String(id)),
    parents: async (ids) =>
      ids.length === 0 ? [] : (await run('parents', [JSON.stringify(ids)])).map(decodeParent),
    orphaned: async (ids) =>
      ids.length === 0
        ? []
        : (await run('orphaned', [JSON.stringify(ids)])).map(([id]) => String(id)),
  }
}

type SqlRunner = Readonly<
  Record<'run' | 'write', (name: SqlName, params?: readonly Param[]) => Promise<SqlRow[]>>
>

type TimerNames = 'armTimer' | 'disarmTimer' | 'dueTimers' | 'nextTimerMs' | 'endTimer'

const createTimers = ({ run }: SqlRunner): Pick<Safeguards, TimerNames> => ({
  armTimer: async ({ account, wallet, timeoutMs, includesTriggers, cancelAlls }) => {
    const flags = [String(includesTriggers), JSON.stringify(cancelAlls)]
    const [[triggerMs] = []] = await run('arm', [account, wallet, timeoutMs, ...flags])
    return { triggerMs: Number(triggerMs) }
  },
  disarmTimer: async (account) => void (await run('disarm', [account])),
  dueTimers: async (limit) => (await run('due', [limit])).map(decodeTimer),
  nextTimerMs: async () => {
    const [[leftMs] = []] = await run('nextTimer')
    return leftMs == null ? undefined : Math.max(0, Number(leftMs))
  },
  endTimer: async ({ account, armedMs }) => void (await run('endTimer', [account, armedMs])),
})

type DisconnectNames =
  | 'setDisconnect'
  | 'readDisconnect'
  | 'beat'
  | 'nodes'
  | 'forgetNode'
  | 'endConnections'
  | 'endedConnections'
  | 'forgetConnections'

const createDisconnects = ({ run, write }: SqlRunner): Pick<Safeguards, DisconnectNames> => ({
  setDisconnect: async ({ account, isEnabled }) =>
    void (await write('setDisconnect', [account, String(isEnabled)])),
  readDisconnect: async (account) => (await run('readDisconnect', [account]))[0]?.[0] === 'true',
  beat: async (node) => Number((await run('beat', [node]))[0]?.[0]),
  nodes: async () =>
    (await run('nodes')).map(([node, beats]) => ({ node: String(node), beats: Number(beats) })),
  forgetNode: async ({ node, beats }) => void (await run('forgetNode', [node, beats])),
  endConnections: async (connections) =>
    void (await write('endConnections', [JSON.stringify(connections)])),
  endedConnections: async (limit) =>
    (await run('endedConnections', [limit])).map(([id]) => `${id}`),
  forgetConnections: async (connections) =>
    void (await run('forgetConnections', [JSON.stringify(connections)])),
})

const createMmp = ({
  run,
  write,
}: SqlRunner): Pick<Safeguards, 'setMmp' | 'resetMmp' | 'freezeMmp' | 'mmpFills' | 'readMmp'> => ({
  setMmp: async (settings) => {
    const { account, wallet, asset, intervalSeconds, frozenSeconds } = settings
    const limits = [settings.amountLimit.toString(), settings.deltaLimit?.toString() ?? null]
    await write('setMmp', [account, wallet, asset, intervalSeconds, frozenSeconds, ...limits])
  },
  resetMmp: async (account, asset) => (await write('resetMmp', [account, asset])).length > 0,
  freezeMmp: async ({ account, asset, resetMs }) =>
    (await write('freezeMmp', [account, asset, resetMs])).length > 0,
  mmpFills: async (scans, blockNumber) => {
    if (scans.length === 0) return []
    const params = scans.map(({ account, market, afterSeconds, bucketSeconds }) => ({
      account,
      market,
      after_seconds: afterSeconds,
      bucket_seconds: bucketSeconds,
    }))
    const rows = await run('mmpFills', [JSON.stringify(params), blockNumber])
    return rows.map(([account, market, isBuy, lots, seconds]) => ({
      account: Number(account),
      market: String(market),
      isBuy: isBuy === 'true',
      lots: BigInt(lots as string),
      seconds: Number(seconds),
    }))
  },
  readMmp: async (account) => {
    const rows = await run('readMmp', [account])
    const rules = rows.flatMap(([, ...row]) => (row[0] == null ? [] : [decodeMmp(row)]))
    return { rules, nowMs: Number(rows[0]?.[0]) }
  },
})

const decodeTimer = (row: SqlRow): CancelTimer => {
  const [account, wallet, timeoutMs, armedMs, triggerMs, includesTriggers, cancelAlls] = row
  return {
    account: Number(account),
    wallet: String(wallet),
    timeoutMs: Number(timeoutMs),
    armedMs: Number(armedMs),
    triggerMs: Number(triggerMs),
    includesTriggers: includesTriggers === 't' || includesTriggers === 'true',
    cancelAlls: JSON.parse(String(cancelAlls)) as PreSignedCancelAll[],
  }
}

const decodeMmp = (row: SqlRow): MmpRule => {
  const [account, wallet, asset, interval, frozen, amountLimit, deltaLimit, ...times] = row
  const [resetMs, frozenMs] = times
  return {
    account: Number(account),
    wallet: String(wallet),
    asset: String(asset),
    intervalSeconds: Number(interval),
    frozenSeconds: Number(frozen),
    amountLimit: BigInt(amountLimit as string),
    deltaLimit: deltaLimit == null ? undefined : BigInt(deltaLimit),
    resetMs: Number(resetMs),
    frozenMs: frozenMs == null ? undefined : Number(frozenMs),
  }
}

function decodeStop(row: SqlRow): StopOrder {
  const order = row.slice(INTENT_COLUMN_COUNT)
  return {
    intent: decodeIntent(row.slice(0, INTENT_COLUMN_COUNT)),
    order: order[0] === null ? undefined : decodeRecord('order', order),
  }
}

const decodeParent = ([id, state, filled, resting, status, reason]: SqlRow): ParentFate => ({
  id: String(id),
  state: state ?? undefined,
  order:
    filled == null
      ? undefined
      : {
          filledLots: BigInt(filled),
          restingLots: BigInt(resting ?? 0),
          status: String(status),
          reason: reason ?? null,
        },
})
