// Compares what users were answered during failovers with the database.
import { Client } from 'pg'
import type { AnsweredReceipt, Traffic } from './traffic.ts'

/** Numbers of answers that the database lacks, or has more than once. */
export type Comparison = Readonly<
  Record<'orders' | 'receipts' | 'keys', Readonly<{ all: number; lost: number; doubled: number }>>
> &
  Readonly<{ examples: readonly string[] }>

const SHOWN_MAX = 5

/** Reads the first columns of rows as texts. */
async function rowsOf(url: string, text: string): Promise<readonly (readonly string[])[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.map((row: unknown[]) =>
      row.map(String),
    )
  } finally {
    await client.end()
  }
}

const idOf = ({ order_id, seq, include_by_block }: AnsweredReceipt) =>
  `${order_id} ${seq} ${include_by_block}`

/** Returns the numbers of live intents. */
export async function countLive(databaseUrl: string): Promise<number> {
  const [[count] = []] = await rowsOf(
    databaseUrl,
    `SELECT count(*) FROM intents WHERE state IN ('received', 'queued', 'sent')`,
  )
  return Number(count)
}

export async function compareAnswers(databaseUrl: string, traffic: Traffic): Promise<Comparison> {
  const read = (text: string) => rowsOf(databaseUrl, text)
  const intents = new Map(
    (await read('SELECT id, state, reason FROM intents')).map(([id = '', ...end]) => [id, end]),
  )
  const promises = await read(
    `SELECT id, seq, include_by_block FROM intent_log WHERE state IN ('received', 'queued')`,
  )
  const promised = new Set(promises.map((row) => row.join(' ')))
  const promisesOf = Map.groupBy(promises, ([id]) => id)
  const stored = (await read('SELECT key FROM api_keys')).map(([key]) => key)
  const orders = [...traffic.receipts.keys()]
  const receipts = [...traffic.receipts.values()].flat()
  const keys = [...traffic.keys]
  const isLost = (id: string) => {
    const [, reason] = intents.get(id) ?? []
    return !intents.has(id) || reason === 'RESTORED'
  }
  const lostOrders = orders.filter(isLost)
  const doubledOrders = orders.filter((id) => (promisesOf.get(id)?.length ?? 0) > 1)
  const lostReceipts = receipts.filter((receipt) => !promised.has(idOf(receipt))).map(idOf)
  const bySeq = Map.groupBy(receipts, ({ seq }) => seq)
  const doubledReceipts = [...bySeq.values()].filter(
    (same) => new Set(same.map(({ order_id }) => order_id)).size > 1,
  )
  const lostKeys = keys.filter((key) => !traffic.revoked.has(key) && !stored.includes(key))
  // A revoked key that is there again.
  const returnedKeys = stored.filter((key) => traffic.revoked.has(key ?? ''))
  const examples = [lostOrders, doubledOrders, lostReceipts, lostKeys, returnedKeys]
  return {
    orders: { all: orders.length, lost: lostOrders.length, doubled: doubledOrders.length },
    receipts: {
      all: receipts.length,
      lost: lostReceipts.length,
      doubled: doubledReceipts.length,
    },
    keys: {
      all: keys.length,
      lost: lostKeys.length + traffic.unknownKeys.length,
      doubled: returnedKeys.length,
    },
    examples: examples.flatMap((ids) => ids.slice(0, SHOWN_MAX).map(String)),
  }
}
