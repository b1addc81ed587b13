// Compares the second host with the contracts of its pools, block after block, during swaps.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { POOLS } from '@openvenue/devnet/amm/pools'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { areOfOneBlock, compared, near, PoolComparer, toUsd } from './compare-pools.ts'
import { openPool } from './new-pool.ts'
import type { PoolSide, TokenSide } from './pool-contracts.ts'
import {
  ask,
  type MarketAnswer,
  type OrderBook,
  type PoolAnswer,
  request,
  type Statistics,
} from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

/** Number of rounds of blocks until there was a swap. */
const ROUNDS_MAX = 5
const BLOCKS = 12
/** Length of this venue's history. */
const PAST_SECONDS = 40 * 60

let venue: TestVenue
let comparer: PoolComparer
before(async () => {
  venue = await startVenue()
  comparer = new PoolComparer(venue.devnet)
})
after(() => venue?.remove())

type Lists = Awaited<ReturnType<PoolComparer['compare']>>

test(`every pool has its tokens, type, fee, tvl, volume and price as the contracts have them, at ${BLOCKS} blocks`, async () => {
  const volumeOf = (markets: Lists[number] | undefined) =>
    markets?.reduce((sum, { volume24h }) => sum + volume24h, 0) ?? 0
  const hasSwapped = (lists: Lists) => volumeOf(lists.at(-1)) > volumeOf(lists[0])
  let lists = await comparer.compare(BLOCKS)
  // Swaps within a few blocks are random.
  for (let round = 1; round < ROUNDS_MAX && !hasSwapped(lists); round++)
    lists = [...lists, ...(await comparer.compare(BLOCKS))]
  for (const markets of lists) {
    assert.equal(markets.length, POOLS.length)
    const values = markets.map(({ tvl }) => tvl)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
    )
  }
  assert.ok(hasSwapped(lists), 'somebody swapped meanwhile')
})

test('a new chain has a history of swaps', async () => {
  await comparer.catchUp()
  const seconds = await comparer.log.firstSwapSeconds()
  assert.ok(seconds < Date.now() / 1000 - PAST_SECONDS, `the first swap was at ${seconds}`)
})

test('pools still equal the contracts after a restart of the chain', async () => {
  await venue.devnet.renewChain()
  await comparer.compare(3)
})

test('new markets are all pools of a young chain, the newest first', async () => {
  const listed = await ask(venue.devnet.integratedUrl, '/api/markets/new-markets')
  await comparer.log.readTo(listed.block)
  const { markets } = listed.body as { markets: MarketAnswer[] }
  assert.deepEqual(
    markets.map(({ address }) => address),
    comparer.log.pools.map(({ address }) => address).toReversed(),
  )
})

test('the pool of a spot market equals the data of the first host', async () => {
  await compared(5, async () => {
    const [pool, byId, statistics, book] = await Promise.all([
      ask(venue.devnet.integratedUrl, '/api/clob/pools/ETH-USDC'),
      ask(venue.devnet.integratedUrl, `/api/clob/pools/${venue.devnet.deployment.spot}00000001`),
      ask(venue.devnet.apiUrl, '/statistics?instrument_name=ETH-USDC'),
      ask(venue.devnet.apiUrl, '/orderbook/ETH-USDC'),
    ])
    if (!areOfOneBlock([pool, byId, statistics, book])) return undefined
    assert.deepEqual(byId.body, pool.body)
    const [side] = await comparer.sidesAt(pool)
    assert.ok(side !== undefined)
    const [usdc, eth] = inOrder(side)
    const answer = pool.body as PoolAnswer
    const facts = statistics.body as Statistics & { daily_volume: string; mark_price: string }
    comparer.agreeOnToken(answer.baseToken, eth)
    comparer.agreeOnToken(answer.quoteToken, usdc)
    assert.equal(answer.price, Number(facts.mark_price))
    near(answer.volume24h, Number(facts.daily_volume) * toUsd(usdc), 'volume24h of ETH-USDC')
    near(answer.tvl, bookWorth(book.body as OrderBook, eth, usdc), 'tvl of ETH-USDC')
    return pool.block
  })
})

type Refusal = Readonly<Record<string, string>>

test('an unknown pool is refused with 404 and the common body', async () => {
  for (const poolId of ['SOL-USDC', 'ETH-PERP', `0x${'9'.repeat(40)}`]) {
    const { integratedUrl } = venue.devnet
    const answer = await request<Refusal>(integratedUrl, `/api/clob/pools/${poolId}`)
    const { error, message, request_id } = answer.body
    const said = [answer.status, error, message]
    assert.deepEqual(said, [404, 'POOL_NOT_FOUND', 'Pool not found'])
    assert.equal(request_id, answer.headers.get('x-request-id'))
  }
})

test('GET /api/clob/info names the chain of the venue, and paths that answer', async () => {
  const { integratedUrl, deployment } = venue.devnet
  const { body } = await ask(integratedUrl, '/api/clob/info')
  const info = body as {
    chainId: number
    features: Record<string, boolean>
    endpoints: Record<string, string>
  }
  assert.equal(info.chainId, deployment.chainId)
  assert.ok(info.features.amm && info.features.clmm)
  for (const path of Object.values(info.endpoints)) {
    const response = await fetch(new URL(path.replace('{poolId}', 'ETH-USDC'), integratedUrl))
    assert.equal(response.status, 200, path)
  }
})

test("a new pool is listed within blocks, and its token has the pool's price", async () => {
  const { deployment, wallets, integratedUrl } = venue.devnet
  const maker = wallets[ROLES.visitors[0]] ?? ''
  const opened = await openPool(rpcAt(venue.devnet.rpcUrl), deployment, { maker, symbol: 'FRESH' })
  const find = async () => {
    const { body } = await ask(integratedUrl, '/api/markets/new-markets?limit=1')
    return (body as { markets: MarketAnswer[] }).markets[0]
  }
  await until('the pool is listed', async () =>
    [await find()].some((market) => tokenNames(market).includes(opened.token)),
  )
  const market = (await find()) as MarketAnswer
  const [fresh, eth] =
    market.token0.address === opened.token
      ? [market.token0, market.token1]
      : [market.token1, market.token0]
  assert.deepEqual([fresh.symbol, fresh.name], ['FRESH', 'The FRESH token'])
  assert.deepEqual([eth.symbol, market.type, market.fee], ['ETH', 'amm', 0.003])
  // 4 ETH are worth 50,000 of the token.
  near(fresh.priceUsd, (eth.priceUsd * 4) / 50_000, 'price of the new token')
  near(market.tvl, eth.priceUsd * 8, 'tvl of the new pool')
  assert.equal(market.volume24h, 0)
  const filtered = await ask(integratedUrl, '/api/markets/earn-markets?token=fresh')
  assert.equal((filtered.body as { markets: MarketAnswer[] }).markets.length, 1)
})

test('without traders pools have liquidity and no swaps', async () => {
  const quiet = await startVenue({ pace: undefined })
  try {
    const { body } = await ask(quiet.devnet.integratedUrl, '/api/markets/earn-markets')
    const { markets } = body as { markets: MarketAnswer[] }
    assert.equal(markets.length, POOLS.length)
    for (const { tvl, volume24h } of markets) assert.ok(tvl > 100_000 && volume24h === 0)
  } finally {
    await quiet.remove()
  }
})

const tokenNames = (market: MarketAnswer | undefined) =>
  market === undefined ? [] : [market.token0.address, market.token1.address]

/** The USDC side first: on this chain its address is below that of the others. */
const inOrder = ({ token0, token1 }: PoolSide) =>
  token0.symbol === 'USDC' ? ([token0, token1] as const) : ([token1, token0] as const)

/** Bids are worth their cost, asks their proceeds. */
function bookWorth({ bids, asks }: OrderBook, base: TokenSide, quote: TokenSide): number {
  const paid = bids.reduce((sum, { price, amount }) => sum + BigInt(price) * BigInt(amount), 0n)
  const given = asks.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const baseUnit = 10n ** BigInt(base.decimals)
  const quoteUnit = 10 ** quote.decimals
  return (
    (Number(paid / baseUnit) / quoteUnit) * toUsd(quote) +
    (Number(given) / Number(baseUnit)) * toUsd(base)
  )
}
