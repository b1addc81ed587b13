import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Rest } from 'openvenue'
import { EXPORT_ROWS_MAX, readPage, readWhole } from './past-tables.ts'

const ROWS = 450
const LIMIT = 200
/** A venue whose past has no end. */
let rowsMax = ROWS
const asked: URL[] = []

const transfer = (at: number) => ({
  ...{ tx_type: 'deposit', tx_hash: `0x${at}`, collateral: '0x1', collateral_asset: 'USDC' },
  ...{ amount: '1', block_number: at, finalized_timestamp: '1000000000', counter_party: null },
})

describe('tables of what is over', () => {
  let server: Server
  let rest: Rest
  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://venue')
      asked.push(url)
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)))
      const rows = Array.from({ length: rowsMax }, (_, at) => at).slice(
        offset,
        (offset ?? 0) + (limit ?? 0),
      )
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ transaction_history: rows.map(transfer), count: rows.length }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    rest = new Rest({ url: `http://127.0.0.1:${port}` })
  })
  after(() => server.close())

  test('are read a page at a time, each once, until the oldest row', async () => {
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const page = await readPage(rest, { tab: 'transfers', market: '', cursor, limit: LIMIT })
      assert.ok(page.rows.length <= LIMIT)
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.older
      pages++
    } while (cursor !== '')
    assert.equal(pages, 3)
    assert.equal(new Set(seen).size, ROWS)
  })

  test('fill a file no further than its limit, whatever the venue has', async () => {
    rowsMax = 3 * EXPORT_ROWS_MAX
    asked.length = 0
    const rows = await readWhole(rest, { tab: 'transfers', market: '' })
    assert.equal(rows.length, EXPORT_ROWS_MAX)
    assert.equal(asked.length, 10)
  })
})
