// Rows of account history in bulk, made by the database itself.
import type { RecordKind } from '@openvenue/core/records'
import type { Db } from '../src/db.ts'
import { makePartition, PARTITION_SECONDS, readPartitions } from '../src/partitions.ts'
import { PARTITIONED, TABLES } from '../src/tables.ts'

export type BulkKind = 'fill' | 'order' | 'closedCycle' | 'transfer' | 'fundingPayment' | 'account'

export const BUSY_ACCOUNT = 7
/** Which share of the rows is of the busy account: every fifth. */
const BUSY_EVERY = 5
/** The others are shared by these many, numbered from here on. */
const OTHERS = 200
export const OTHER_ACCOUNT = 100
const ENGINE = `0x${'e'.repeat(40)}`
export const BULK_MARKETS = [1, 2, 3, 4, 5, 6].map((n) => `${ENGINE}${String(n).padStart(8, '0')}`)
export const BULK_START_SECONDS = 1_700_000_000
/** Rows of one second. */
export const BULK_ROWS_PER_SECOND = 8

const ID = `lpad((1 + i / 4)::text, 12, '0') || '-' || lpad((i % 4)::text, 6, '0')`
const SECONDS = `${BULK_START_SECONDS} + i / ${BULK_ROWS_PER_SECOND}`

/** Values that matter to a query; the rest of a row is filler. */
const VALUES: Readonly<Record<string, string>> = {
  market: `('{${BULK_MARKETS}}'::text[])[1 + (hashint8(i) & 1023) % ${BULK_MARKETS.length}]`,
  seconds: SECONDS,
  created_seconds: SECONDS,
  block_number: '1 + i / 4',
  log_index: 'i % 4',
  id: ID,
  number: 'i',
  status: `('{open,filled,partial,cancelled}'::text[])[1 + (hashint8(i) & 1023) % 4]`,
  kind: `CASE WHEN hashint8(i) % 50 = 0 THEN 'absorption' ELSE 'trade' END`,
  type: `('{deposit,withdraw,send,receive}'::text[])[1 + (hashint8(i) & 1023) % 4]`,
}
const accountText = (busyEvery: number) =>
  `CASE WHEN i % ${busyEvery} = 0 THEN ${BUSY_ACCOUNT} ELSE ${OTHER_ACCOUNT} + i * 7919 % ${OTHERS} END`
const ACCOUNT_VALUES: typeof VALUES = { account: 'i', wallet: `'0x' || lpad(to_hex(i), 40, '0')` }
const FILLERS = { int: 'i % 1000', big: `1000000000000 + i`, text: `'x'`, bool: 'i % 2 = 0' }

/**
 * Adds `count` rows in chain order; the indexes are made anew, which is faster than keeping them.
 */
export async function addRows(
  db: Db,
  what: BulkKind,
  count: number,
  busyEvery = BUSY_EVERY,
): Promise<void> {
  const { name, columns } = TABLES[what as RecordKind]
  await addPartitions(db, what, count)
  const values =
    what === 'account' ? ACCOUNT_VALUES : { ...VALUES, account: accountText(busyEvery) }
  const cells = columns.map(
    ({ name: column, as, words }) =>
      values[column] ?? (words === undefined ? FILLERS[as] : `'${words[0]}'`),
  )
  const indexes = await db.primary.query(
    `SELECT i.indexname::text, i.indexdef FROM pg_indexes i
      WHERE i.tablename = $1 AND i.indexname NOT LIKE '%_pkey'`,
    [name],
  )
  // A million rows may take longer than a reader may.
  await db.script(`SET LOCAL statement_timeout = 0; ${indexes.map(([index]) => `DROP INDEX ${index};`).join('')}
    INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})
      SELECT ${cells.join(', ')} FROM generate_series(1::bigint, ${count}) i;
    ${indexes.map(([, text]) => `${text};`.replace(' ON ONLY ', ' ON ')).join('')}`)
  await db.script(`VACUUM (ANALYZE) ${name}`)
}

async function addPartitions(db: Db, what: BulkKind, count: number): Promise<void> {
  const kind = PARTITIONED.find((one) => one === what)
  if (kind === undefined) return
  const known = (await readPartitions(db.primary, kind)).map(({ fromSeconds }) => fromSeconds)
  const end = BULK_START_SECONDS + count / BULK_ROWS_PER_SECOND
  const first = Math.floor(BULK_START_SECONDS / PARTITION_SECONDS) * PARTITION_SECONDS
  for (let from = first; from <= end; from += PARTITION_SECONDS)
    if (!known.includes(from)) await makePartition(db.primary, kind, from)
}
