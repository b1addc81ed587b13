import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { csvLine, TRADE_COLUMNS, TRANSACTION_COLUMNS } from '@openvenue/wire/csv'
import type { FillItem } from '@openvenue/wire/fills'
import type { TransactionItem } from '@openvenue/wire/transactions'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'
import { issueKey } from '../../test/keyed.ts'

/** Fills of two markets, and transfers. */
const setUp = () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP')
  scenario
    .index('ETH', 3n * 10n ** 21n)
    .poke()
    .next(60)
  for (let index = 0; index < 12; index++) {
    scenario.on(index % 3 === 0 ? 'ETH-USDC' : 'ETH-PERP')
    scenario.place('alice', 'buy', 29_999, 2n).place('bob', 'sell', 29_999, 2n).next(60)
  }
  scenario.deposit('alice', 'USDC', 10n).transfer('alice', 'bob', { symbol: 'USDC', whole: 4n })
  return scenario.next(60).transfer('bob', 'alice', { symbol: 'USDC', whole: 1n }).next()
}

/** Parses a table as spreadsheets do. */
function parseTable(text: string): Record<string, string>[] {
  assert.ok(text.endsWith('\r\n'))
  const [head = '', ...lines] = text.slice(0, -2).split('\r\n')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    assert.equal(cells.length, names.length, line)
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}

const asText = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')]))

describe('tables of an account', () => {
  let node: HistoryNode
  let headers: Readonly<Record<string, string>>
  before(async () => {
    node = await historyNode(setUp())
    const key = await issueKey(node.store, node.walletOf('alice'), 0, 4_000_000_000_000)
    headers = { ...key.headers }
  })
  after(() => node.close())

  const ask = async (url: string) => {
    const answer = await node.node.host.inject({ url, headers })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }
  const read = async (url: string) => {
    const { status, text, headers } = await ask(url)
    assert.equal(status, 200, text)
    return { rows: parseTable(text), next: headers['x-next-cursor'], headers }
  }
  const trades = async (query = '') => {
    const { body } = await node.ask('alice', `/trade-history?sort_order=asc&limit=1000${query}`)
    return (body as { trade_history: FillItem[] }).trade_history
  }

  test('tables of an account have every fill, oldest first, with the data of /trade-history', async () => {
    const { rows, next, headers } = await read('/account/trades/csv')
    const fills = await trades()
    assert.equal(fills.length, 12)
    const columns = Object.fromEntries(TRADE_COLUMNS.map((name) => [name, '']))
    assert.deepEqual(
      rows,
      fills.map((fill) => ({ ...columns, ...asText(fill) })),
    )
    assert.equal(next, undefined)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="trades.csv"')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-block-number'], String(node.node.model.head?.number))
  })

  test('tables of an account have every transfer, oldest first, with the data of /transaction-history', async () => {
    const { rows } = await read('/account/transactions/csv')
    const { body } = await node.ask('alice', '/transaction-history?sort_order=ASC&limit=1000')
    const items = (body as { transaction_history: TransactionItem[] }).transaction_history
    assert.ok(items.length > 3)
    const columns = Object.fromEntries(TRANSACTION_COLUMNS.map((name) => [name, '']))
    assert.deepEqual(
      rows,
      items.map((item) => ({ ...columns, ...asText(item) })),
    )
  })

  for (const path of ['/account/trades/csv', '/account/transactions/csv'])
    test(`${path} comes in pieces of limit rows, each after the cursor of the last`, async () => {
      const { rows: all } = await read(path)
      for (const limit of [1, 3, all.length]) {
        const pieces: Record<string, string>[] = []
        let cursor: unknown
        do {
          const query = cursor === undefined ? '' : `&cursor=${cursor}`
          const { rows, next } = await read(`${path}?limit=${limit}${query}`)
          assert.ok(rows.length === limit || next === undefined)
          pieces.push(...rows)
          cursor = next
        } while (cursor !== undefined)
        assert.deepEqual(pieces, all, `limit ${limit}`)
      }
      const { status, text } = await ask(`${path}?cursor=abc`)
      assert.deepEqual([status, JSON.parse(text).error], [400, 'INVALID_CURSOR'])
    })

  test('tables of an account take the filters of the lists', async () => {
    const ids = async (query: string) =>
      (await read(`/account/trades/csv?${query}`)).rows.map(({ trade_id }) => trade_id)
    for (const query of ['instrument_type=SPOT', 'instrument_name=ETH-PERP', 'asset=eth'])
      assert.deepEqual(
        await ids(query),
        (await trades(`&${query}`)).map(({ trade_id }) => trade_id),
        query,
      )
    const [, second, third] = await trades()
    const range = `start_time=${second?.created_timestamp}&end_time=${third?.created_timestamp}`
    assert.deepEqual(await ids(range), [second?.trade_id, third?.trade_id])
    assert.deepEqual(await ids('trade_types=liquidation'), [])
    assert.equal((await ids('trade_types=trade,liquidation')).length, 12)
    const sent = await read('/account/transactions/csv?tx_type=send')
    assert.deepEqual(
      sent.rows.map(({ amount }) => amount),
      ['4'],
    )
    const first = await read('/account/transactions/csv?limit=1')
    const end = first.rows[0]?.finalized_timestamp
    const early = await read(`/account/transactions/csv?end_time=${end}`)
    assert.ok(early.rows.every(({ finalized_timestamp }) => finalized_timestamp === end))
    const late = await read(`/account/transactions/csv?start_time=${Number(end?.slice(0, -9)) + 1}`)
    assert.ok(late.rows.length > 0)
    assert.ok(late.rows.every(({ finalized_timestamp }) => finalized_timestamp !== end))
  })

  test('tables of an account refuse funding by name, and answer 503 while the database is unavailable', async () => {
    const funding = await ask('/account/trades/csv?trade_types=funding')
    assert.deepEqual(
      [funding.status, JSON.parse(funding.text).details[0].field],
      [400, 'trade_types'],
    )
    node.away.add('lines')
    node.away.add('transfers')
    for (const path of ['/account/trades/csv', '/account/transactions/csv'])
      assert.equal((await ask(path)).status, 503, path)
    node.away.clear()
  })

  test('tables of an account are an empty table for a wallet that did nothing', async () => {
    const key = await issueKey(node.store, `0x${'ee'.repeat(20)}`, 0, 4_000_000_000_000)
    const answer = await node.node.host.inject({ url: '/account/trades/csv', headers: key.headers })
    assert.equal(answer.body, `${TRADE_COLUMNS.join(',')}\r\n`)
  })

  test('tables of an account quote text that would otherwise split a cell', () => {
    assert.equal(
      csvLine(['a', 'b', 'c'], { a: 'x,y', b: 'say "no"', c: null }),
      '"x,y","say ""no""",\r\n',
    )
  })
})
