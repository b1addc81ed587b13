// Partitions growing tables by time; the writer creates them before it needs them (decision 0080).
import type { Rows } from '@openvenue/core/rows'
import type { SqlQuery } from './block-read.ts'
import type { DbSession, Sql } from './db.ts'
import {
  PARTITIONED,
  type PartitionedKind,
  partitionSeconds,
  RESTING_SECONDS,
  type RecordFields,
  TABLES,
} from './tables.ts'

/** Length of each partition: 90 days from 1970 on. Must never change, since partitions persist. */
export const PARTITION_SECONDS = 90 * 86_400
const DAY_SECONDS = 86_400
/** Distance of the newest row at which the next partition is created. */
const AHEAD_SECONDS = DAY_SECONDS

/** A partition and its time range, whose end is exclusive. */
type Partition = Readonly<{ name: string; fromSeconds: number; toSeconds: number }>

/** Existing partitions by table. */
export type Partitions = ReadonlyMap<PartitionedKind, Partition[]>

const BOUNDS = 'pg_get_expr(c.relpartbound, c.oid)'
const PARTITIONS = `FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass($1)`

/** The partition of resting orders has no end, is made by a migration, and is never dropped. */
const BOUND = /FROM \((?:MINVALUE|'?(-?\d+)'?)\) TO \('?(-?\d+)'?\)/

/** Returns the partitions of a table, oldest first. */
export async function readPartitions(
  sql: Sql,
  kind: PartitionedKind,
): Promise<readonly Partition[]> {
  const rows = await sql.query(`SELECT c.relname::text, ${BOUNDS} ${PARTITIONS}`, [
    TABLES[kind].name,
  ])
  return rows
    .flatMap(([name, text]) => {
      const bounds = parseBounds(String(text))
      return bounds === undefined ? [] : [{ name: String(name), ...bounds }]
    })
    .sort((a, b) => a.fromSeconds - b.fromSeconds)
}

/** Returns the query whose text `parseOldest` parses. */
export const oldestQuery = (kind: PartitionedKind): SqlQuery => ({
  text: `SELECT string_agg(${BOUNDS}, E'\\n') ${PARTITIONS}`,
  params: [TABLES[kind].name],
})

/** Returns the start of the oldest partition; undefined when there is none. */
export function parseOldest(text: string): number | undefined {
  const starts = text.split('\n').flatMap((line) => parseBounds(line)?.fromSeconds ?? [])
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/** Returns the bounds of a partition; undefined for that of resting orders. */
function parseBounds(text: string) {
  const [, from, to] = BOUND.exec(text) ?? []
  if (to === undefined) return undefined
  const fromSeconds = from === undefined ? Number.NEGATIVE_INFINITY : Number(from)
  return { fromSeconds, toSeconds: Number(to) }
}

/** Reads all partitions. */
export async function readAllPartitions(sql: Sql): Promise<Partitions> {
  const partitions = new Map<PartitionedKind, Partition[]>()
  for (const kind of PARTITIONED) partitions.set(kind, [...(await readPartitions(sql, kind))])
  return partitions
}

/** Creates the partitions that `rows` need beyond `existing`, and adds them there. */
export async function makePartitions(
  session: DbSession,
  existing: Partitions,
  rows: Rows,
): Promise<void> {
  const missing = PARTITIONED.flatMap((kind) => missingPartitions(kind, existing, rows))
  if (missing.length === 0) return
  await session.transaction(async (tx) => {
    for (const { kind, fromSeconds } of missing) await makePartition(tx, kind, fromSeconds)
  })
  for (const { kind, ...partition } of missing) existing.get(kind)?.push(partition)
}

/** Creates the partition of `kind` from `fromSeconds`; attaching a table does not block readers. */
export async function makePartition(sql: Sql, kind: PartitionedKind, fromSeconds: number) {
  const { name } = TABLES[kind]
  const partition = partitionName(kind, fromSeconds)
  await sql.query(`CREATE TABLE ${partition} (LIKE ${name} INCLUDING ALL)`)
  await sql.query(`ALTER TABLE ${name} ATTACH PARTITION ${partition}
    FOR VALUES FROM (${fromSeconds}) TO (${fromSeconds + PARTITION_SECONDS})`)
}

const partitionName = (kind: PartitionedKind, fromSeconds: number) =>
  `${TABLES[kind].name}_${fromSeconds / PARTITION_SECONDS}`

type MissingPartition = Partition & Readonly<{ kind: PartitionedKind }>

function missingPartitions(
  kind: PartitionedKind,
  existing: Partitions,
  { inserts, upserts }: Rows,
): readonly MissingPartition[] {
  const starts = new Set<number>()
  const written: readonly RecordFields[] = [...(inserts[kind] ?? []), ...(upserts[kind] ?? [])]
  for (const row of written) {
    const seconds = partitionSeconds(kind, row)
    if (seconds === RESTING_SECONDS) continue
    for (const at of [seconds, seconds + AHEAD_SECONDS])
      starts.add(Math.floor(at / PARTITION_SECONDS) * PARTITION_SECONDS)
  }
  const there = existing.get(kind) ?? []
  return [...starts]
    .filter((at) => !there.some((range) => range.fromSeconds <= at && at < range.toSeconds))
    .map((fromSeconds) => ({
      kind,
      name: partitionName(kind, fromSeconds),
      fromSeconds,
      toSeconds: fromSeconds + PARTITION_SECONDS,
    }))
}

/** Lock timeout for dropping a partition: one in use is left, so that readers never queue. */
const LOCK_MS_MAX = 100
/** SQLSTATE of a lock timeout. */
const LOCKED = '55P03'
/** Lists whose counts are dropped with their rows, by the day of the row. */
const COUNTED: Partial<Record<PartitionedKind, readonly string[]>> = {
  fill: ['fill', 'forced'],
  closedCycle: ['closedCycle'],
}

/**
 * Drops partitions that ended by `endSeconds`, at most one of each table, with their counts, and
 * removes them from `existing`. Returns whether none of them is left.
 */
export async function dropPartitions(
  session: DbSession,
  existing: Partitions,
  endSeconds: number,
): Promise<boolean> {
  const old = PARTITIONED.flatMap((kind) => {
    const ended = existing.get(kind)?.filter(({ toSeconds }) => toSeconds <= endSeconds) ?? []
    return ended.slice(0, 1).map((partition) => ({ kind, partition }))
  })
  if (old.length === 0) return true
  try {
    await session.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
      for (const { partition } of old) await tx.query(`DROP TABLE ${partition.name}`)
      for (const { kind, partition } of old) await dropCounts(tx, kind, partition)
    })
  } catch (error) {
    if ((error as Readonly<{ code?: string }>).code === LOCKED) return false
    throw error
  }
  for (const { kind, partition } of old) {
    const there = existing.get(kind) ?? []
    there.splice(there.indexOf(partition), 1)
  }
  return false
}

/** Orders are counted by the day of their creation, and leave with the partition of their end. */
async function dropCounts(sql: Sql, kind: PartitionedKind, { toSeconds }: Partition) {
  if (kind === 'order')
    await sql.query(
      `DELETE FROM history_counts WHERE list = 'order' AND ended_partition BETWEEN 0 AND $1::bigint - 1`,
      [toSeconds / PARTITION_SECONDS],
    )
  const lists = COUNTED[kind] ?? []
  if (lists.length > 0)
    await sql.query('DELETE FROM history_counts WHERE list = ANY($1::text[]) AND day < $2', [
      `{${lists.join(',')}}`,
      toSeconds / DAY_SECONDS,
    ])
}
