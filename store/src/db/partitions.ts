// Partitions growing tables by time; the writer creates them before it needs them (decision 0080).
import type { RowsByKind } from '@openvenue/core/rows'
import type { SqlQuery } from './block-read.ts'
import type { DbSession, Sql } from './db.ts'
import { PARTITIONED, type PartitionedKind, TABLES } from './tables.ts'

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
    .map(([name, bounds]) => ({ name: String(name), ...parseBounds(String(bounds)) }))
    .sort((a, b) => a.fromSeconds - b.fromSeconds)
}

/** Returns the query whose text `parseOldest` parses. */
export const oldestQuery = (kind: PartitionedKind): SqlQuery => ({
  text: `SELECT string_agg(${BOUNDS}, E'\\n') ${PARTITIONS}`,
  params: [TABLES[kind].name],
})

/** Returns the start of the oldest partition; undefined when there is none. */
export function parseOldest(text: string): number | undefined {
  if (text === '') return undefined
  return Math.min(...text.split('\n').map((bounds) => parseBounds(bounds).fromSeconds))
}

function parseBounds(text: string) {
  const [, from, to] = BOUND.exec(text) ?? []
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
  rows: RowsByKind,
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
  rows: RowsByKind,
): readonly MissingPartition[] {
  const starts = new Set<number>()
  for (const { seconds } of rows[kind] ?? [])
    for (const at of [seconds, seconds + AHEAD_SECONDS])
      starts.add(Math.floor(at / PARTITION_SECONDS) * PARTITION_SECONDS)
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
/** Lists whose counts are dropped with their rows; orders are kept. */
const COUNTED = ['fill', 'forced', 'closedCycle']

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
  const lastSeconds = Math.max(...old.map(({ partition }) => partition.toSeconds))
  try {
    await session.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
      for (const { partition } of old) await tx.query(`DROP TABLE ${partition.name}`)
      await tx.query('DELETE FROM history_counts WHERE list = ANY($1::text[]) AND day < $2', [
        `{${COUNTED.join(',')}}`,
        lastSeconds / DAY_SECONDS,
      ])
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
