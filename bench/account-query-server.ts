// What account pages are compared with: the prepared query of the same rows, JSON.stringify and
// node:http. No key, no validation, no counts, no decimals. Says its port over IPC.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LISTINGS, MARKET_NAMES } from '@openvenue/core/story/listing'
import { TRANSFER_TYPES } from '@openvenue/store/account-history'
import { pageQuery, type Query, transfersQuery } from '@openvenue/store/account-queries'
import { Pool } from 'pg'
import { answerCpuQuestions } from './cpu.ts'

/** Number of the account that the bench's story opened first. */
const ACCOUNT = 3
const LIMIT_DEFAULT = 200
const EVER = { fromSeconds: 0, toSeconds: Number.MAX_SAFE_INTEGER }
const RESTING = `SELECT * FROM orders WHERE resting_lots > 0 AND account = $1
  ORDER BY market, number LIMIT $2`

const pool = new Pool({ connectionString: process.argv[2] ?? '' })
const names = new Map<string, string>()

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const { text, params } = queryOf(query)
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

function queryOf(query: URLSearchParams): Query {
  const limit = Number(query.get('limit') ?? LIMIT_DEFAULT)
  const kind = query.get('kind')
  const name = query.get('instrument_name')
  const markets = MARKET_NAMES.filter((one) => name === null || one === name).map(
    (one) => LISTINGS[one].id,
  )
  if (kind === 'resting') return { text: RESTING, params: [ACCOUNT, limit] }
  if (kind === 'transfer') {
    const page = { types: TRANSFER_TYPES, isAscending: false, offset: 0, limit }
    return transfersQuery({ ...EVER, ...page, account: ACCOUNT })
  }
  if (kind !== 'fill' && kind !== 'order' && kind !== 'closedCycle')
    throw new Error(`a kind of rows is asked for (${kind})`)
  const after = placeOf(query.get('cursor'))
  const page = { ...EVER, account: ACCOUNT, markets, isAscending: false, limit }
  return pageQuery(kind, { ...page, ...(after === undefined ? {} : { after }) }, markets)
}

/** A cursor of the venue names the place that it stands for. */
function placeOf(cursor: string | null) {
  if (cursor === null) return undefined
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly unknown[]
  const [seconds, id] = parts.slice(-2) as [number, string]
  return { seconds, id }
}

answerCpuQuestions()
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
