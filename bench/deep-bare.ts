// Baseline of deep history: one prepared query, JSON.stringify and node:http, without validation,
// decimals or headers. Sends its port over IPC.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { answerCpuQuestions } from './cpu.ts'

const QUERY = {
  name: 'candles',
  text: `SELECT open_seconds, open, high, low, close, volume, quote_units, trades,
      taker_buy_volume, taker_buy_units
    FROM candles WHERE market = $1 AND resolution = $2 AND open_seconds <= $3
    ORDER BY open_seconds DESC LIMIT $4`,
}

const pool = new Pool({ connectionString: process.argv[2] ?? '' })

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const values = ['market', 'resolution', 'to', 'countback'].map((name) => query.get(name))
  pool.query({ ...QUERY, values }).then(
    ({ rows }) => {
      const body = Buffer.from(JSON.stringify(rows.reverse()))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    },
    (error: Error) => response.destroy(error),
  )
})

answerCpuQuestions()
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
