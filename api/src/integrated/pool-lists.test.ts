// GET /api/markets/earn-markets and /api/markets/new-markets: fields, parameters, pages.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { EarnMarkets } from '@openvenue/wire/pools'
import { Value } from 'typebox/value'
import { type IntegratedScenarioNode, integratedNode } from '../../test/integrated-node.ts'
import { makeToken, POOLS, pair, pooled, TOKENS, UNIT } from '../../test/pool-scenario.ts'

const EARN = '/api/markets/earn-markets'
const NEW = '/api/markets/new-markets'

async function readPage(node: IntegratedScenarioNode, url: string): Promise<EarnMarkets> {
  const { status, body, text } = await node.get(url)
  assert.equal(status, 200, text)
  assert.ok(Value.Check(EarnMarkets, body), text)
  return body
}

const pickNames = ({ markets }: EarnMarkets) =>
  markets.map(({ address }) => Object.entries(POOLS).find(([, pool]) => pool === address)?.[0])

describe('a listed pool', () => {
  let node: IntegratedScenarioNode
  before(async () => {
    node = await integratedNode(pooled().blocks())
  })
  after(() => node.close())

  test('a listed pool has both tokens in the order of the pool, with every member', async () => {
    const { markets } = await readPage(node, EARN)
    const { token0, token1 } = markets.find(({ address }) => address === POOLS.ethBtc) ?? {}
    assert.deepEqual(token0, {
      address: TOKENS.ETH.address,
      name: 'Ether',
      symbol: 'ETH',
      decimals: 18,
      totalSupply: '1000000000',
      logoUri: '',
      priceUsd: 3000,
    })
    assert.deepEqual([token1?.symbol, token1?.decimals, token1?.priceUsd], ['BTC', 8, 60_000])
  })

  test('a listed pool is of type amm with reserves of v2, and clmm with liquidity of v3', async () => {
    const { markets } = await readPage(node, EARN)
    const findType = (pool: string) => markets.find(({ address }) => address === pool)?.type
    assert.deepEqual([findType(POOLS.pair), findType(POOLS.ranged)], ['amm', 'clmm'])
  })

  test('a listed pool is worth its reserves at current prices', async () => {
    const { markets } = await readPage(node, EARN)
    assert.deepEqual(
      markets.map(({ tvl }) => tvl),
      [600_000, 240_000, 60_000],
    )
  })

  test('a listed pool has its fee as a fraction', async () => {
    const { markets } = await readPage(node, EARN)
    const findFee = (pool: string) => markets.find(({ address }) => address === pool)?.fee
    assert.deepEqual([findFee(POOLS.pair), findFee(POOLS.ranged)], [0.003, 0.0005])
  })

  test('a listed pool names the block of its data', async () => {
    const { headers } = await node.get(EARN)
    assert.equal(headers['x-block-number'], String(node.model.head?.number))
    assert.equal(headers['x-block-hash'], node.model.head?.hash)
  })
})

describe('volume24h of a listed pool', () => {
  test('volume24h of a listed pool counts the input of either token from the start of the hour 23 hours ago', async () => {
    const scenario = pooled()
    scenario.atPool('USDC/ETH v2', (pool) => pool.swap(true, 500n * UNIT.USDC)).next(1800)
    scenario.atPool('USDC/ETH v2', (pool) => pool.swap(false, 2n * UNIT.ETH)).next(3600)
    const node = await integratedNode(scenario.blocks())
    const volume = async () => (await readPage(node, `${EARN}?type=amm`)).markets[0]?.volume24h
    assert.equal(await volume(), 500 + 2 * 3000)
    const swapSeconds = scenario.seconds - 3600 - 1800
    const hour = swapSeconds - (swapSeconds % 3600)
    node.setNow(hour + 24 * 3600 - 1)
    assert.equal(await volume(), 6500)
    node.setNow(hour + 24 * 3600)
    assert.equal(await volume(), 0)
    await node.close()
  })

  test('volume24h of a listed pool is at current prices', async () => {
    const scenario = pooled()
    scenario.atPool('USDC/ETH v2', (pool) => pool.swap(false, 2n * UNIT.ETH)).next(1)
    const node = await integratedNode(scenario.index('ETH', 4000n * E18).blocks())
    const [market] = (await readPage(node, `${EARN}?type=amm`)).markets
    assert.equal(market?.volume24h, 8000)
    await node.close()
  })
})

describe('priceUsd of a token', () => {
  const cat = makeToken('ca', 'CAT')
  const kitten = makeToken('cb', 'KIT', 0)
  const readTokens = async (scenario: ReturnType<typeof pooled>) => {
    const node = await integratedNode(scenario.blocks())
    const { markets } = await readPage(node, EARN)
    await node.close()
    return new Map(
      markets.flatMap(({ token0, token1 }) => [token0, token1]).map((t) => [t.symbol, t]),
    )
  }

  test('priceUsd of a token comes from the deepest pool that leads to a priced token', async () => {
    const scenario = pooled()
    const shallow = { address: `0x${'d1'.padStart(40, '0')}`, tokens: [TOKENS.USDC, cat] } as const
    pair(scenario, { ...shallow, reserves: [10n * UNIT.USDC, E18] })
    const deep = { address: `0x${'d2'.padStart(40, '0')}`, tokens: [TOKENS.ETH, cat] } as const
    pair(scenario, { ...deep, reserves: [UNIT.ETH, 1000n * E18] })
    assert.equal((await readTokens(scenario)).get('CAT')?.priceUsd, 3)
  })

  test('priceUsd of a token may lead over several pools', async () => {
    const scenario = pooled()
    const first = { address: `0x${'d1'.padStart(40, '0')}`, tokens: [TOKENS.USDC, cat] } as const
    pair(scenario, { ...first, reserves: [10n * UNIT.USDC, 4n * E18] })
    const second = { address: `0x${'d2'.padStart(40, '0')}`, tokens: [cat, kitten] } as const
    pair(scenario, { ...second, reserves: [2n * E18, 50n] })
    assert.equal((await readTokens(scenario)).get('KIT')?.priceUsd, 0.1)
  })

  test('priceUsd of a token is 0 where no pool leads to a priced token, and so is the value of the pool', async () => {
    const scenario = pooled()
    const apart = { address: `0x${'d1'.padStart(40, '0')}`, tokens: [cat, kitten] } as const
    pair(scenario, { ...apart, reserves: [E18, 50n] })
    const node = await integratedNode(scenario.blocks())
    const { markets } = await readPage(node, `${EARN}?token=KIT`)
    assert.deepEqual(
      markets.map(({ tvl, token0, token1 }) => [tvl, token0.priceUsd, token1.priceUsd]),
      [[0, 0, 0]],
    )
    await node.close()
  })

  test("priceUsd of a token is not the oracle's for a token that only calls itself ETH", async () => {
    const scenario = pooled()
    const fake = { ...makeToken('fa', 'ETH'), name: 'Ether' }
    const pool = { address: `0x${'d1'.padStart(40, '0')}`, tokens: [TOKENS.USDC, fake] } as const
    pair(scenario, { ...pool, reserves: [UNIT.USDC, E18] })
    const node = await integratedNode(scenario.blocks())
    const { markets } = await readPage(node, `${EARN}?token=${fake.address}`)
    assert.deepEqual([markets[0]?.token1.symbol, markets[0]?.token1.priceUsd], ['ETH', 1])
    await node.close()
  })
})

describe('a cached list', () => {
  test("a list that was read follows the oracle and the venue's listings even when no pool changes", async () => {
    const scenario = pooled()
    const cat = makeToken('ca', 'CAT')
    const pool = { address: `0x${'d1'.padStart(40, '0')}`, tokens: [TOKENS.USDC, cat] } as const
    pair(scenario, { ...pool, reserves: [UNIT.USDC, E18] })
    const node = await integratedNode(scenario.next().blocks())
    const readPrices = async () => {
      const { markets } = await readPage(node, `${EARN}?token=CAT`)
      return markets.map(({ token0, token1 }) => [token0.priceUsd, token1.priceUsd])
    }
    const follow = (happens: () => Scenario) => {
      const known = scenario.blocks().length
      happens().next()
      node.applyBlocks(scenario.blocks().slice(known))
    }
    assert.deepEqual(await readPrices(), [[1, 1]])
    follow(() => scenario.index('USDC', 2n * E18).index('CAT', 7n * E18))
    assert.deepEqual(await readPrices(), [[2, 2]])
    const { address, symbol, name } = cat
    follow(() => scenario.say({ type: 'TokenListed', token: address, symbol, name, decimals: 18 }))
    assert.deepEqual(await readPrices(), [[2, 7]])
    await node.close()
  })
})

describe('a token with false metadata', () => {
  test('a token with false metadata has a short form of its address as symbol, decimals 0 and no supply', async () => {
    const scenario = pooled()
      .atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 4n))
      .next()
    const node = await integratedNode(scenario.blocks())
    const { markets } = await readPage(node, `${EARN}?token=0x0000…00a5`)
    const { symbol, decimals, totalSupply } = markets[0]?.token1 ?? {}
    assert.deepEqual([symbol, decimals, totalSupply], ['0x0000…00a5', 0, ''])
    await node.close()
  })
})

describe('the token list', () => {
  test('the token list gives names, symbols and logos by address, and the filter matches them', async () => {
    const node = await integratedNode(pooled().blocks())
    await readPage(node, EARN)
    const logoUri = 'https://logos.example/weth.svg'
    const listed = { name: 'Wrapped Ether', symbol: 'WETH', logoUri }
    node.names.take(new Map([[TOKENS.ETH.address, listed]]))
    const { markets } = await readPage(node, `${EARN}?token=weth`)
    assert.equal(markets.length, 3)
    const { name, symbol, decimals, logoUri: logo } = markets[0]?.token1 ?? {}
    assert.deepEqual({ name, symbol, logoUri: logo }, listed)
    assert.equal(decimals, 18)
    assert.deepEqual((await readPage(node, `${EARN}?token=eth`)).markets, [])
    await node.close()
  })
})

describe('the parameters of the lists', () => {
  let node: IntegratedScenarioNode
  before(async () => {
    const scenario = pooled()
    scenario.atPool('ETH/BTC v3', (pool) => pool.swap(true, UNIT.ETH / 1000n)).next(60)
    scenario.atPool('USDC/ETH v3', (pool) => pool.swap(true, 9n * UNIT.USDC)).next(60)
    node = await integratedNode(scenario.blocks())
  })
  after(() => node.close())

  for (const [url, names] of [
    [EARN, ['pair', 'ethBtc', 'ranged']],
    [`${EARN}?sort=tvl`, ['pair', 'ethBtc', 'ranged']],
    [`${EARN}?sort=volume24h`, ['ranged', 'ethBtc', 'pair']],
    [`${EARN}?sort=created`, ['ethBtc', 'ranged', 'pair']],
    [NEW, ['ethBtc', 'ranged', 'pair']],
    [`${NEW}?sort=tvl`, ['pair', 'ethBtc', 'ranged']],
    [`${EARN}?type=amm`, ['pair']],
    [`${EARN}?type=CLMM`, ['ethBtc', 'ranged']],
    [`${NEW}?type=clmm`, ['ethBtc', 'ranged']],
    [`${EARN}?token=btc`, ['ethBtc']],
    [`${NEW}?token=USDC`, ['ranged', 'pair']],
    [`${EARN}?token=${TOKENS.BTC.address.toUpperCase().replace('X', 'x')}`, ['ethBtc']],
    [`${EARN}?token=nothing`, []],
    [`${EARN}?token=usdc&type=amm`, ['pair']],
    [`${EARN}?limit=2`, ['pair', 'ethBtc']],
    [`${EARN}?limit=1000000`, ['pair', 'ethBtc', 'ranged']],
    [`${NEW}?limit=1`, ['ethBtc']],
  ] as const)
    test(`${url} lists ${names.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(pickNames(await readPage(node, url)), names)
    })

  for (const [query, field, message, near] of [
    [
      'limit=0',
      'limit',
      /^limit is out of range: got "0", expected an integer from 1 to 1000; the nearest is 1$/,
      { nearest: 1 },
    ],
    ['limit=1.5', 'limit', /^limit is invalid: /, { nearest: 2 }],
    ['limit=many', 'limit', /^limit is invalid: /, {}],
    ['sort=name', 'sort', /^sort is invalid: /, { allowed: ['tvl', 'volume24h', 'created'] }],
    ['sort=TVL', 'sort', /^sort is invalid: /, { allowed: ['tvl', 'volume24h', 'created'] }],
    ['type=book', 'type', /^type is invalid: /, { allowed: ['amm', 'clmm'] }],
    ['token=a&token=b', 'token', /^token is repeated: got a list of 2, expected one value$/, {}],
    [
      `token=${'a'.repeat(257)}`,
      'token',
      /^token is too long: got "a{40}…" \(257 characters\), expected at most 256 characters$/,
      {},
    ],
  ] as const)
    test(`${query.slice(0, 20)} is refused, with the field and the rule`, async () => {
      for (const list of [EARN, NEW]) {
        const { status, body } = await node.get(`${list}?${query}`)
        const { error, details } = body as { error: string; details: Record<string, unknown>[] }
        assert.deepEqual([status, error], [400, 'INVALID_PARAMETER'])
        assert.equal(details[0]?.field, field)
        assert.match(String(details[0]?.message), message)
        for (const [name, value] of Object.entries(near))
          assert.deepEqual(details[0]?.[name], value)
      }
    })
})
