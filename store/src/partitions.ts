// Tables that grow for ever are made of partitions by time, which the writer makes before it needs
// them (decision 0080).
import type { RowsByKind } from '@openvenue/core/rows'
import type { Session, Sql } from './db.ts'
import { PARTITIONED, type PartitionedKind, TABLES } from './tables.ts'

/** Of each partition: 90 days, counted from 1970. Never changed: partitions stand. */
export const PARTITION_SECONDS = 90 * 86_400
/** The next partition is made when the newest row is so close to it. */
const AHEAD_SECONDS = 86_400

/** The time that a partition has the rows of, its end not included. */
export type PartitionRange = Readonly<{ fromSeconds: number; toSeconds: number }>

/** What is there, by table. */
export type Partitions = ReadonlyMap<PartitionedKind, PartitionRange[]>

/** Of a table that is partitioned, oldest first, with the names of the partitions. */
const RANGES = `SELECT c.relname::text, pg_get_expr(c.relpartbound, c.oid)
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass($1)`

const BOUND = /FROM \((?:MINVALUE|'?(-?\d+)'?)\) TO \('?(-?\d+)'?\)/

/** Returns the partitions of a table, oldest first. */
export async function readPartitions(
  sql: Sql,
  what: PartitionedKind,
): Promise<readonly (PartitionRange & Readonly<{ name: string }>)[]> {
  const rows = await sql.query(RANGES, [TABLES[what].name])
  return rows
    .map(([name, bound]) => {
      const [, from, to] = BOUND.exec(String(bound)) ?? []
      const fromSeconds = from === undefined ? Number.NEGATIVE_INFINITY : Number(from)
      return { name: String(name), fromSeconds, toSeconds: Number(to) }
    })
    .sort((one, other) => one.fromSeconds - other.fromSeconds)
}

/** Reads which partitions there are. */
export async function readAllPartitions(sql: Sql): Promise<Partitions> {
  const found = new Map<PartitionedKind, PartitionRange[]>()
  for (const what of PARTITIONED) found.set(what, [...(await readPartitions(sql, what))])
  return found
}

/** Makes the partitions that `rows` need and `known` has not, and notes them in `known`. */
export async function makePartitions(
  session: Session,
  known: Partitions,
  rows: RowsByKind,
): Promise<void> {
  const missing = PARTITIONED.flatMap((what) => missingPartitions(what, known, rows))
  if (missing.length === 0) return
  await session.transaction(async (tx) => {
    for (const { what, fromSeconds } of missing) await makePartition(tx, what, fromSeconds)
  })
  for (const { what, ...range } of missing) known.get(what)?.push(range)
}

/**
 * Makes the partition of `what` that begins at `fromSeconds`. Attached, not made in place: that
 * keeps no reader waiting.
 */
export async function makePartition(sql: Sql, what: PartitionedKind, fromSeconds: number) {
  const { name } = TABLES[what]
  const partition = `${name}_${fromSeconds / PARTITION_SECONDS}`
  await sql.query(`CREATE TABLE ${partition} (LIKE ${name} INCLUDING ALL)`)
  await sql.query(`ALTER TABLE ${name} ATTACH PARTITION ${partition}
    FOR VALUES FROM (${fromSeconds}) TO (${fromSeconds + PARTITION_SECONDS})`)
}

type Missing = PartitionRange & Readonly<{ what: PartitionedKind }>

function missingPartitions(
  what: PartitionedKind,
  known: Partitions,
  rows: RowsByKind,
): readonly Missing[] {
  const wanted = new Set<number>()
  for (const { seconds } of rows[what] ?? [])
    for (const at of [seconds, seconds + AHEAD_SECONDS])
      wanted.add(Math.floor(at / PARTITION_SECONDS) * PARTITION_SECONDS)
  const there = known.get(what) ?? []
  return [...wanted]
    .filter((from) => !there.some((one) => one.fromSeconds <= from && from < one.toSeconds))
    .map((fromSeconds) => ({ what, fromSeconds, toSeconds: fromSeconds + PARTITION_SECONDS }))
}
