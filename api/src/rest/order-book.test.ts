import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Static } from '@openvenue/wire/field'
import { type OrderBook, OrderBookLevel } from '@openvenue/wire/order-book'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

type Book = Static<typeof OrderBook>
type Level = readonly [price: string, amount: string, orders: number]

const ETH = LISTINGS['ETH-USDC']
/** Raw price and amount of a tick and lots at ETH-USDC: steps of 0.01 USDC and 0.0001 ETH. */
const level = (tick: number, lots: number, orders: number): Level => [
  `${tick * 10_000}`,
  `${BigInt(lots) * 10n ** 14n}`,
  orders,
]
const shown = (levels: Book['bids']): Level[] =>
  levels.map(({ price, amount, orders }) => [price, amount, orders])

async function readBook(scenario: Scenario, url = '/orderbook/ETH-USDC') {
  const { get, close } = await scenarioNode(scenario.blocks())
  const answer = await get(url)
  await close()
  return { ...answer, book: answer.body as Book }
}

const setUp = () =>
  funded('ETH-USDC')
    .place('alice', 'buy', 98, 5n)
    .place('bob', 'buy', 98, 7n)
    .place('alice', 'buy', 97, 1n)
    .place('carol', 'sell', 101, 2n)
    .place('carol', 'sell', 103, 3n)

describe('the order book', () => {
  test('the order book shows levels best first, as raw integers, with the number of their orders', async () => {
    const { status, book } = await readBook(setUp())
    assert.equal(status, 200)
    assert.deepEqual(shown(book.bids), [level(98, 12, 2), level(97, 1, 1)])
    assert.deepEqual(shown(book.asks), [level(101, 2, 1), level(103, 3, 1)])
    for (const side of [...book.bids, ...book.asks]) assert.ok(Value.Check(OrderBookLevel, side))
  })

  for (const url of [
    '/orderbook/ETH-USDC',
    `/orderbook/${ETH.id}`,
    `/orderbook/${BigInt(ETH.id)}`,
    '/markets/ETH-USDC/orderbook',
    `/markets/${ETH.id}/orderbook`,
    '/orderbook?instrument_name=ETH-USDC',
    `/orderbook?instrument_name=${ETH.id}`,
  ])
    test(`${url.replace(/0x.*|\d{20,}/, 'an id').slice(0, 60)} answers with the same book`, async () => {
      const { status, book } = await readBook(setUp(), url)
      assert.equal(status, 200)
      assert.deepEqual(shown(book.bids), [level(98, 12, 2), level(97, 1, 1)])
    })

  test('the order book counts open and partially filled orders, and no others', async () => {
    const { book } = await readBook(
      setUp()
        .place('dave', 'sell', 98, 2n) // Leaves 3 of the first order.
        .cancel(3)
        .place('dave', 'sell', 98, 3n), // Fills the rest of it.
    )
    assert.deepEqual(shown(book.bids), [level(98, 7, 1)])
  })

  test('the order book shows an order until its time is over, and not after', async () => {
    const scenario = setUp()
    const goodTilSeconds = scenario.seconds + 10
    scenario.order({ who: 'dave', side: 'buy', tick: 99, lots: 4n, goodTilSeconds }).next(10)
    const { get, applyBlocks, close } = await scenarioNode(scenario.blocks())
    const best = async () => shown(((await get('/orderbook/ETH-USDC')).body as Book).bids)[0]
    assert.deepEqual(await best(), level(99, 4, 1))
    const known = scenario.blocks().length
    applyBlocks(scenario.next().next().blocks().slice(known))
    assert.deepEqual(await best(), level(98, 12, 2))
    await close()
  })

  test('the order book carries the response time in milliseconds, and the server time in hex as checksum', async () => {
    const { get, setNow, close } = await scenarioNode(setUp().blocks())
    setNow(1_800_000_000)
    const { last_updated_timestamp, checksum } = (await get('/orderbook/ETH-USDC')).body as Book
    await close()
    assert.equal(last_updated_timestamp, 1_800_000_000_000)
    assert.equal(Number.parseInt(checksum, 16), 1_800_000_000_000)
  })

  test('the order book reads at most 500 orders a side; a partly read last level counts only those', async () => {
    const crowded = funded('ETH-USDC')
    for (let i = 0; i < 499; i++) crowded.place('alice', 'buy', 1000 - i, 1n)
    crowded.place('alice', 'buy', 400, 2n).place('bob', 'buy', 400, 4n).place('bob', 'buy', 399, 1n)
    const { book } = await readBook(crowded)
    assert.equal(book.bids.length, 500)
    assert.deepEqual(shown(book.bids).at(-1), level(400, 2, 1))
  })

  test('the order book follows the book, block by block and back', async () => {
    const scenario = funded('ETH-USDC').place('alice', 'buy', 98, 5n).next()
    const { get, applyBlocks, undoBlock, close } = await scenarioNode(scenario.blocks())
    const bids = async () => shown(((await get('/orderbook/ETH-USDC')).body as Book).bids)
    const before = scenario.blocks().length
    scenario.place('bob', 'sell', 98, 2n)
    applyBlocks(scenario.blocks().slice(before))
    assert.deepEqual(await bids(), [level(98, 3, 1)])
    undoBlock()
    assert.deepEqual(await bids(), [level(98, 5, 1)])
    await close()
  })

  for (const [query, bids, asks] of [
    ['depth=1', [level(98, 12, 2)], [level(101, 2, 1)]],
    ['depth=600', [level(98, 12, 2), level(97, 1, 1)], [level(101, 2, 1), level(103, 3, 1)]],
    ['group=10', [level(90, 13, 3)], [level(110, 5, 2)]],
    ['group=2', [level(98, 12, 2), level(96, 1, 1)], [level(102, 2, 1), level(104, 3, 1)]],
    ['group=3', [level(96, 13, 3)], [level(102, 2, 1), level(105, 3, 1)]],
    ['group=2&depth=1', [level(98, 12, 2)], [level(102, 2, 1)]],
  ] as const)
    test(`the order book with ${query} merges on whole ticks, bids down and asks up, and then cuts`, async () => {
      const { book } = await readBook(setUp(), `/orderbook/ETH-USDC?${query}`)
      assert.deepEqual(shown(book.bids), bids)
      assert.deepEqual(shown(book.asks), asks)
    })

  for (const url of [
    '/orderbook/ETH-USDC?',
    `/markets/${ETH.id}/orderbook?`,
    '/orderbook?instrument_name=ETH-USDC&',
  ])
    test(`the order book at ${url.replace(/0x\w+/, 'an id')} takes depth and group`, async () => {
      assert.equal((await readBook(setUp(), `${url}depth=0`)).status, 400)
      const { book } = await readBook(setUp(), `${url}group=2&depth=1`)
      assert.deepEqual(
        [shown(book.bids), shown(book.asks)],
        [[level(98, 12, 2)], [level(102, 2, 1)]],
      )
    })

  for (const query of [
    'depth=0',
    'depth=-1',
    'depth=x',
    'depth=1.5',
    'depth=',
    'group=0',
    'group=1e1',
  ])
    test(`the order book refuses ${query} with the bounds`, async () => {
      const { status, body } = await readBook(setUp(), `/orderbook/ETH-USDC?${query}`)
      assert.equal(status, 400)
      assert.match((body as { message: string }).message, /expected an integer from 1 to \d+/)
    })

  for (const [url, status, error] of [
    ['/orderbook/ETH-USD', 404, 'INSTRUMENT_NOT_FOUND'],
    ['/orderbook/eth-usdc', 404, 'INSTRUMENT_NOT_FOUND'],
    [`/orderbook/${ETH.id.toUpperCase()}`, 404, 'INSTRUMENT_NOT_FOUND'],
    ['/markets/nothing/orderbook', 404, 'INSTRUMENT_NOT_FOUND'],
    ['/orderbook?instrument_name=nothing', 404, 'INSTRUMENT_NOT_FOUND'],
    ['/orderbook', 400, 'MISSING_PARAMETER'],
    ['/orderbook?instrument_name=', 400, 'MISSING_PARAMETER'],
  ] as const)
    test(`the order book answers ${url.slice(0, 40)} with ${status} ${error}`, async () => {
      const { body, ...answer } = await readBook(setUp(), url)
      assert.equal(answer.status, status)
      assert.equal((body as { error: string }).error, error)
      if (status === 404)
        assert.equal((body as { message: string }).message, 'Instrument not found')
    })

  test('the order book names the block that it is of', async () => {
    const { headers } = await readBook(setUp())
    assert.equal(headers['x-block-number'], '2')
    assert.match(String(headers['x-block-hash']), /^0x[0-9a-f]{64}$/)
  })
})
