// Baseline of account pages: the prepared query of the same rows, JSON.stringify and node:http,
// without keys, validation, counts or decimals. Sends its port over IPC.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LISTINGS, MARKET_NAMES } from '@openvenue/core/test/scenario/listing'
import { Pool } from 'pg'
import { answerCpuQuestions } from './cpu.ts'

/** Number of the first account of the bench's scenario. */
const ACCOUNT = 3
const LIMIT_DEFAULT = 200
type SqlQuery = Readonly<{ text: string; params: readonly (string | number)[] }>

const RESTING = `SELECT * FROM orders WHERE resting_lots > 0 AND account = $1
  ORDER BY market, number LIMIT $2`

const pool = new Pool({ connectionString: process.argv[2] ?? '' })
const names = new Map<string, string>()

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const { text, params } = parseQuery(query)
  const name = names.get(text) ?? `bare_${names.size}`
  names.set(text, name)
  pool.query({ name, text, values: [...params] }).then(
    ({ rows }) => {
      const body = Buffer.from(JSON.stringify(rows))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    },
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      response.destroy(error)
    },
  )
})

/** A stored list: its table, its order, and a filter of its rows. */
const LISTS: Readonly<Record<string, { table: string; order: string[]; filter: string }>> = {
  fill: { table: 'fills', order: ['seconds', 'id'], filter: '' },
  closedCycle: { table: 'position_cycles', order: ['seconds', 'id'], filter: '' },
  order: {
    table: 'orders',
    order: ['created_seconds', 'block_number', 'log_index'],
    filter: "AND status <> 'open'",
  },
  transfer: { table: 'transfers', order: ['seconds', 'id'], filter: '' },
}

/** Merges ranges of an index, without which the bare server would sort. */
function parseQuery(query: URLSearchParams): SqlQuery {
  const limit = Number(query.get('limit') ?? LIMIT_DEFAULT)
  const kind = query.get('kind') ?? ''
  if (kind === 'resting') return { text: RESTING, params: [ACCOUNT, limit] }
  const list = LISTS[kind]
  if (list === undefined) throw new Error(`kind: got ${kind}, expected a list`)
  const after = parseCursor(query.get('cursor'), list.order.length)
  const edge = after.map((_, index) => `$${index + 3}`).join(', ')
  const beyond = after.length === 0 ? '' : `AND (${list.order.join(', ')}) < (${edge})`
  const tail = `ORDER BY ${list.order.map((name) => `${name} DESC`).join(', ')} LIMIT (SELECT $2::bigint)`
  const ranges = timeRange(kind, query.get('instrument_name')).map(
    (range) =>
      `(SELECT * FROM ${list.table} WHERE account = $1 AND ${range} ${list.filter} ${beyond} ${tail})`,
  )
  const text = ranges.length === 1 ? ranges[0] : `${ranges.join(' UNION ALL ')} ${tail}`
  return { text: text as string, params: [ACCOUNT, limit, ...after] }
}

const timeRange = (kind: string, name: string | null) =>
  kind === 'transfer'
    ? ['deposit', 'withdraw', 'send', 'receive'].map((type) => `type = '${type}'`)
    : MARKET_NAMES.filter((market) => name === null || market === name).map(
        (market) => `market = '${LISTINGS[market].id}'`,
      )

/** Decodes a cursor of the venue to its position; for an order, block and log index. */
function parseCursor(cursor: string | null, columns: number): readonly (string | number)[] {
  if (cursor === null) return []
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly unknown[]
  const [seconds, id] = parts.slice(-2) as [number, string]
  return columns === 2 ? [seconds, id] : [seconds, ...id.split('-').map(Number)]
}

answerCpuQuestions()
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
