import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Rest } from 'openvenue'
import { PAGE_ROWS } from '../table-protocol.ts'
import { EXPORT_ROWS_MAX, readBehind, readPage, readWhole } from './past-tables.ts'

const ROWS = 450
/** A venue with an endless history. */
let rowsMax = ROWS
const urls: URL[] = []

const transfer = (at: number) => ({
  ...{ tx_type: 'deposit', tx_hash: `0x${at}`, collateral: '0x1', collateral_asset: 'USDC' },
  ...{ amount: '1', block_number: at, finalized_timestamp: '1000000000', counter_party: null },
})

/** Fills are numbered from the oldest, which is 1. */
const fill = (number: number) => ({
  ...{ trade_id: `fill ${number}`, instrument_name: 'ETH-PERP', side: 'buy', price: '1' },
  ...{ amount: '1', quote_amount: '1', fees: '0', fee_asset: 'USDC', pnl: null },
  ...{ trade_type: 'trade', liquidity: 'maker', created_timestamp: '1000000000' },
})

/** Answers as the venue does: a cursor is the row after which a page starts. */
function answerFills({ searchParams }: URL, newest: number) {
  const from = Number(searchParams.get('cursor') ?? newest + 1) - 1
  const size = Math.min(Number(searchParams.get('limit')), from)
  const last = from - size + 1
  return {
    trade_history: Array.from({ length: size }, (_, at) => fill(from - at)),
    pagination: { has_next: last > 1, next_cursor: String(last), has_prev: false },
  }
}

let fundingMax = 0
function answerFunding({ searchParams }: URL) {
  const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)))
  const size = Math.max(0, Math.min(limit ?? 0, fundingMax - (offset ?? 0)))
  return { trade_history: Array.from({ length: size }, payment), pagination: {} }
}

const payment = () => ({
  ...{ trade_id: 'f', instrument_name: 'ETH-PERP', side: 'buy', amount: '1', mark_price: '1' },
  ...{ funding_rate: '0', funding_payment: '1', created_timestamp: '1000000000' },
})

function answerTransfers({ searchParams }: URL) {
  const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)))
  const size = Math.max(0, Math.min(limit, rowsMax - offset))
  const rows = Array.from({ length: size }, (_, at) => transfer(offset + at))
  return { transaction_history: rows, count: rows.length }
}

describe('history tables', () => {
  let server: Server
  let rest: Rest
  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://venue')
      urls.push(url)
      const isOfFills = url.pathname === '/trade-history'
      const isOfFunding = url.searchParams.get('trade_types') === 'funding'
      const fills = () => (isOfFunding ? answerFunding(url) : answerFills(url, rowsMax))
      const body = isOfFills ? fills() : answerTransfers(url)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    rest = new Rest({ url: `http://127.0.0.1:${port}` })
  })
  after(() => server.close())

  test('history tables are read page by page, each row once, until the oldest', async () => {
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const page = await readPage(rest, { tab: 'transfers', market: '', cursor, limit: PAGE_ROWS })
      assert.ok(page.rows.length <= PAGE_ROWS)
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.older
      pages++
    } while (cursor !== '')
    assert.equal(pages, 3)
    assert.equal(new Set(seen).size, ROWS)
  })

  test('an export of history is filled up to its limit, however much the venue has', async () => {
    rowsMax = 3 * EXPORT_ROWS_MAX
    urls.length = 0
    const { rows, limit } = await readWhole(rest, { tab: 'transfers', market: '' })
    assert.equal(rows.length, EXPORT_ROWS_MAX)
    assert.equal(urls.length, 10)
    assert.match(limit, /the newest 10,000 rows: older ones are not included/)
  })

  test('a complete export of history reports no limit', async () => {
    rowsMax = ROWS
    const { rows, limit } = await readWhole(rest, { tab: 'transfers', market: '' })
    assert.deepEqual([rows.length, limit], [ROWS, ''])
  })

  test("an export of funding reports the venue's limit only if that is reached", async () => {
    const limitOf = async (payments: number) => {
      fundingMax = payments
      return (await readWhole(rest, { tab: 'funding', market: '' })).limit
    }
    assert.equal(await limitOf(499), '')
    assert.match(await limitOf(500), /the newest 500 funding payments/)
  })

  describe('of fills', () => {
    const behind = async (number: number) => {
      urls.length = 0
      const page = await readBehind(rest, { market: '', id: `fill ${number}` })
      return { ...page, ids: page.rows.map(({ id }) => Number(id.slice('fill '.length))) }
    }

    test('older fills continue after the displayed ones to the oldest, each once', async () => {
      rowsMax = ROWS
      // The newest 50 are displayed.
      let page = await behind(ROWS - 49)
      const seen = [...page.ids]
      while (page.older !== '') {
        const request = { tab: 'fills', market: '', cursor: page.older, limit: PAGE_ROWS } as const
        const next = await readPage(rest, request)
        const ids = next.rows.map(({ id }) => Number(id.slice('fill '.length)))
        page = { ...next, ids }
        seen.push(...ids)
      }
      assert.deepEqual(
        seen,
        Array.from({ length: ROWS - 50 }, (_, at) => ROWS - 50 - at),
      )
    })

    test('older fills start on the next page if the displayed ones fill the first', async () => {
      const { ids } = await behind(ROWS - PAGE_ROWS + 1)
      assert.deepEqual([ids.length, ids[0]], [PAGE_ROWS, ROWS - PAGE_ROWS])
    })

    test('older fills leave no gap after new fills, and end at the oldest', async () => {
      rowsMax = ROWS + 300
      const { ids } = await behind(ROWS - 49)
      assert.equal(ids[0], ROWS - 50)
      rowsMax = ROWS
      assert.deepEqual((await behind(1)).ids, [])
    })

    test('older fills start at the newest if the venue has dropped the displayed row', async () => {
      rowsMax = 1_000_000
      const { ids } = await behind(7)
      assert.equal(ids[0], rowsMax)
      assert.ok(urls.length <= 4, `${urls.length} questions`)
    })
  })
})
