// The second host against the contracts of its pools, block after block, while they are swapped in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { POOLS } from '@openvenue/devnet/amm/pools'
import { ROLES } from '@openvenue/devnet/roles'
import { CallRefused, type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { type Answer, ask, type OrderBook, type Statistics } from './answers.ts'
import { hashOf, left } from './compare.ts'
import { openPool } from './new-pool.ts'
import { type PoolSide, readPoolSides, type TokenSide } from './pool-contracts.ts'
import { PoolLog } from './pool-log.ts'
import { startVenue, type TestVenue } from './venue.ts'

const BLOCKS = 12
const COMPARED_WITHIN_MS = 60_000
const PAUSE_MS = 20
/** Of the hour that this venue begins with. */
const PAST_SECONDS = 40 * 60
/** Values are cut at 18 decimals and then the nearest double: what both can differ by. */
const RELATIVE = 1e-12
/** Prices are kept with 128 bits behind the point. */
const PERCENT = 1e-6

type TokenAnswer = Readonly<{
  address: string
  name: string
  symbol: string
  decimals: number
  totalSupply: string
  logoUri: string
  priceUsd: number
}>
type MarketAnswer = Readonly<{
  address: string
  token0: TokenAnswer
  token1: TokenAnswer
  type: string
  tvl: number
  volume24h: number
  fee: number
}>
type PoolAnswer = Readonly<{
  poolId: string
  baseToken: TokenAnswer
  quoteToken: TokenAnswer
  price: number
  priceChange24h: number
  volume24h: number
  tvl: number
}>

let venue: TestVenue
let rpc: ChainRpc
let log: PoolLog
before(async () => {
  venue = await startVenue()
  rpc = rpcAt(venue.devnet.rpcUrl)
  log = new PoolLog(rpc, venue.devnet.deployment)
})
after(() => venue?.remove())

test(`every pool has its tokens, type, fee, tvl, volume and price as the contracts have them, at ${BLOCKS} blocks`, async () => {
  const volumes: number[] = []
  await compared(BLOCKS, async () => {
    const head = Number(await rpc.call('eth_blockNumber'))
    await log.readTo(head)
    const [listed, ...pools] = await answersOf([
      '/api/markets/earn-markets',
      ...log.pools.map(({ address }) => `/api/clob/pools/${address}`),
    ])
    if (listed === undefined) return undefined
    const sides = await sidesAt(listed)
    const { markets } = listed.body as { markets: MarketAnswer[] }
    assert.equal(markets.length, POOLS.length)
    for (const [index, side] of sides.entries()) {
      const market = markets.find(({ address }) => address === side.pool.address)
      assert.ok(market !== undefined, `${side.pool.address} is listed`)
      agreeOnMarket(market, side)
      agreeOnPool(pools[index]?.body as PoolAnswer, side)
    }
    const descending = markets.map(({ tvl }) => tvl)
    assert.deepEqual(
      descending,
      descending.toSorted((a, b) => b - a),
    )
    volumes.push(markets.reduce((sum, { volume24h }) => sum + volume24h, 0))
    return listed.block
  })
  assert.ok((volumes.at(-1) ?? 0) > (volumes[0] ?? 0), 'somebody swapped meanwhile')
})

test('a new chain has a past of swaps', async () => {
  await log.readTo(Number(await rpc.call('eth_blockNumber')))
  const seconds = await log.firstSwapSeconds()
  assert.ok(seconds < Date.now() / 1000 - PAST_SECONDS, `the first swap was at ${seconds}`)
})

test('they still are when the chain was started anew', async () => {
  await venue.devnet.renewChain()
  await compared(3, async () => {
    const [listed] = await answersOf(['/api/markets/earn-markets?sort=volume24h'])
    if (listed === undefined) return undefined
    const { markets } = listed.body as { markets: MarketAnswer[] }
    for (const side of await sidesAt(listed))
      agreeOnMarket(
        markets.find(({ address }) => address === side.pool.address) as MarketAnswer,
        side,
      )
    return listed.block
  })
})

test('new markets are all pools of this young chain, the newest first', async () => {
  const listed = await ask(venue.devnet.integratedUrl, '/api/markets/new-markets')
  await log.readTo(listed.block)
  const { markets } = listed.body as { markets: MarketAnswer[] }
  assert.deepEqual(
    markets.map(({ address }) => address),
    log.pools.map(({ address }) => address).toReversed(),
  )
})

test('the pool of a spot market is what the first host says of it', async () => {
  await compared(5, async () => {
    const [pool, byId, statistics, book] = await Promise.all([
      ask(venue.devnet.integratedUrl, '/api/clob/pools/ETH-USDC'),
      ask(venue.devnet.integratedUrl, `/api/clob/pools/${venue.devnet.deployment.spot}00000001`),
      ask(venue.devnet.apiUrl, '/statistics?instrument_name=ETH-USDC'),
      ask(venue.devnet.apiUrl, '/orderbook/ETH-USDC'),
    ])
    if (!areOfOneBlock([pool, byId, statistics, book])) return undefined
    assert.deepEqual(byId.body, pool.body)
    const [side] = await sidesAt(pool)
    assert.ok(side !== undefined)
    const [usdc, eth] = inOrder(side)
    const answer = pool.body as PoolAnswer
    const facts = statistics.body as Statistics & { daily_volume: string; mark_price: string }
    agreeOnToken(answer.baseToken, eth)
    agreeOnToken(answer.quoteToken, usdc)
    assert.equal(answer.price, Number(facts.mark_price))
    near(answer.volume24h, Number(facts.daily_volume) * usdOf(usdc), 'volume24h of ETH-USDC')
    near(answer.tvl, bookWorth(book.body as OrderBook, eth, usdc), 'tvl of ETH-USDC')
    return pool.block
  })
})

test('a pool that nobody knows is refused with 404 and the common body', async () => {
  for (const poolId of ['SOL-USDC', 'ETH-PERP', `0x${'9'.repeat(40)}`]) {
    const response = await fetch(`${venue.devnet.integratedUrl}/api/clob/pools/${poolId}`)
    assert.equal(response.status, 404)
    const { error, message, request_id } = (await response.json()) as Record<string, string>
    assert.deepEqual([error, message], ['POOL_NOT_FOUND', 'Pool not found'])
    assert.equal(request_id, response.headers.get('x-request-id'))
  }
})

test('the info names this chain and paths that answer', async () => {
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

test('a pool that somebody opens is listed within blocks, and its token is worth what the pool says', async () => {
  const { deployment, wallets, integratedUrl } = venue.devnet
  const maker = wallets[ROLES.visitors[0]] ?? ''
  const opened = await openPool(rpc, deployment, { maker, symbol: 'FRESH' })
  const find = async () => {
    const { body } = await ask(integratedUrl, '/api/markets/new-markets?limit=1')
    return (body as { markets: MarketAnswer[] }).markets[0]
  }
  await until(async () => [await find()].some((market) => tokensOf(market).includes(opened.token)))
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
  const found = await ask(integratedUrl, '/api/markets/earn-markets?token=fresh')
  assert.equal((found.body as { markets: MarketAnswer[] }).markets.length, 1)
})

test('without traders pools have liquidity, and nobody swaps', async () => {
  const quiet = await startVenue({ hasTraders: false })
  try {
    const { body } = await ask(quiet.devnet.integratedUrl, '/api/markets/earn-markets')
    const { markets } = body as { markets: MarketAnswer[] }
    assert.equal(markets.length, POOLS.length)
    for (const { tvl, volume24h } of markets) assert.ok(tvl > 100_000 && volume24h === 0)
  } finally {
    await quiet.remove()
  }
})

/** Compares until `wanted` blocks were. */
async function compared(wanted: number, once: () => Promise<number | undefined>): Promise<void> {
  const blocks = new Set<number>()
  const deadline = Date.now() + COMPARED_WITHIN_MS
  while (blocks.size < wanted) {
    assert.ok(Date.now() < deadline, `${blocks.size} blocks were compared in time`)
    const block = await once().catch((error: unknown) => {
      // The node keeps the state of few blocks: it moved on.
      if (error instanceof CallRefused) return undefined
      throw error
    })
    if (block === undefined || blocks.has(block)) await sleep(PAUSE_MS)
    else blocks.add(block)
  }
}

/** Returns the answers of the second host to `paths`; nothing when they are of several blocks. */
async function answersOf(paths: readonly string[]): Promise<readonly Answer[]> {
  const answers = await Promise.all(paths.map((path) => ask(venue.devnet.integratedUrl, path)))
  return areOfOneBlock(answers) ? answers : []
}

const tokensOf = (market: MarketAnswer | undefined) =>
  market === undefined ? [] : [market.token0.address, market.token1.address]

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + COMPARED_WITHIN_MS
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, 'it happens in time')
    await sleep(PAUSE_MS)
  }
}

const areOfOneBlock = (answers: readonly Answer[]) =>
  answers.every(({ hash }) => hash === answers[0]?.hash)

/** Returns what the contracts say at the block of `answer`. */
async function sidesAt({ block, hash }: Answer): Promise<PoolSide[]> {
  await left(rpc, block)
  if ((await hashOf(rpc, block)) !== hash) throw new CallRefused('the chain lost this block')
  return readPoolSides({ rpc, deployment: venue.devnet.deployment, log, block })
}

function agreeOnMarket(market: MarketAnswer, side: PoolSide): void {
  const { address, type, fee } = side.pool
  assert.deepEqual([market.type, market.fee], [type, fee / 1e6], address)
  agreeOnToken(market.token0, side.token0)
  agreeOnToken(market.token1, side.token1)
  near(market.tvl, side.tvl, `tvl of ${address}`)
  near(market.volume24h, side.volume24h, `volume24h of ${address}`)
}

function agreeOnPool(pool: PoolAnswer, side: PoolSide): void {
  const { address } = side.pool
  assert.equal(pool.poolId, address)
  agreeOnToken(pool.baseToken, side.token0)
  agreeOnToken(pool.quoteToken, side.token1)
  near(pool.price, side.price, `price of ${address}`)
  near(pool.tvl, side.tvl, `tvl of ${address}`)
  near(pool.volume24h, side.volume24h, `volume24h of ${address}`)
  const apart = Math.abs(pool.priceChange24h - side.priceChange24h)
  assert.ok(apart < PERCENT, `${pool.priceChange24h} is ${side.priceChange24h} at ${address}`)
}

function agreeOnToken(token: TokenAnswer, side: TokenSide): void {
  const { totalSupply, priceUsd, ...said } = token
  const { address, name, symbol, decimals } = side
  assert.deepEqual(said, { address, name, symbol, decimals, logoUri: '' })
  near(priceUsd, usdOf(side), `price of ${symbol}`)
  const [whole = '', part = ''] = totalSupply.split('.')
  const raw = BigInt(whole + part.padEnd(decimals, '0'))
  assert.ok(log.hadSupply(address, raw), `${totalSupply} ${symbol} were in the world once`)
}

const usdOf = ({ price }: TokenSide) => Number(price) / 1e18

/** The USDC side first: on this chain its address is below that of the others. */
const inOrder = ({ token0, token1 }: PoolSide) =>
  token0.symbol === 'USDC' ? ([token0, token1] as const) : ([token1, token0] as const)

/** Bids are worth what they would pay, asks what they would give. */
function bookWorth({ bids, asks }: OrderBook, base: TokenSide, quote: TokenSide): number {
  const paid = bids.reduce((sum, { price, amount }) => sum + BigInt(price) * BigInt(amount), 0n)
  const given = asks.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const baseUnit = 10n ** BigInt(base.decimals)
  const quoteUnit = 10 ** quote.decimals
  return (
    (Number(paid / baseUnit) / quoteUnit) * usdOf(quote) +
    (Number(given) / Number(baseUnit)) * usdOf(base)
  )
}

function near(actual: number, expected: number, what: string): void {
  const apart = Math.abs(actual - expected)
  assert.ok(apart <= Math.abs(expected) * RELATIVE, `${what} is ${expected}, not ${actual}`)
}
