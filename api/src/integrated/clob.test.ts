// GET /api/clob/pools/{poolId} and /api/clob/info.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { instrumentDecimal } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { ClobInfo, ClobPool } from '@openvenue/wire/pools'
import { Value } from 'typebox/value'
import { funded, list } from '../../test/funded.ts'
import { type IntegratedScenarioNode, integratedNode } from '../../test/integrated-node.ts'
import { POOLS, pooled, TOKENS, UNIT } from '../../test/pool-scenario.ts'

const ETH_USDC = LISTINGS['ETH-USDC']

async function readPool(node: IntegratedScenarioNode, poolId: string): Promise<ClobPool> {
  const { status, body, text } = await node.get(`/api/clob/pools/${poolId}`)
  assert.equal(status, 200, text)
  assert.ok(Value.Check(ClobPool, body), text)
  return body
}

async function fetchPool(scenario: Scenario, poolId: string): Promise<ClobPool> {
  const node = await integratedNode(scenario.next(0).blocks())
  const pool = await readPool(node, poolId)
  await node.close()
  return pool
}

describe('a spot market as a pool', () => {
  /** Prices of 0.01 USDC, lots of 0.0001 ETH. */
  const traded = () => {
    const scenario = pooled().on('ETH-USDC')
    scenario
      .place('alice', 'buy', 300_000, 20_000n)
      .place('bob', 'sell', 300_000, 5_000n)
      .next(3600)
    return scenario.place('carol', 'sell', 300_200, 10_000n)
  }

  test('a spot market as a pool is found by its name or id, in any case, hex or decimal', async () => {
    const node = await integratedNode(traded().next().blocks())
    const { id } = ETH_USDC
    for (const poolId of [
      id,
      id.toUpperCase().replace('X', 'x'),
      instrumentDecimal(id),
      'eth-usdc',
    ])
      assert.equal((await readPool(node, poolId)).poolId, id, poolId)
    await node.close()
  })

  test('a spot market as a pool has its tokens as base and quote, with every member', async () => {
    const { baseToken, quoteToken } = await fetchPool(traded(), 'ETH-USDC')
    assert.deepEqual(baseToken, {
      address: TOKENS.ETH.address,
      name: 'Ether',
      symbol: 'ETH',
      decimals: 18,
      totalSupply: '1000000000',
      logoUri: '',
      priceUsd: 3000,
    })
    assert.deepEqual([quoteToken.symbol, quoteToken.priceUsd], ['USDC', 1])
  })

  test('a spot market as a pool has an empty supply while no AMM pool has the token', async () => {
    const { baseToken } = await fetchPool(funded('ETH-USDC'), 'ETH-USDC')
    assert.deepEqual([baseToken.symbol, baseToken.totalSupply], ['ETH', ''])
  })

  test('a spot market as a pool costs the mid, else the last trade, else 0', async () => {
    assert.equal((await fetchPool(traded(), 'ETH-USDC')).price, 3001)
    const bought = traded().place('dave', 'buy', 300_200, 10_000n)
    bought.place('dave', 'sell', 300_000, 15_000n)
    assert.equal((await fetchPool(bought, 'ETH-USDC')).price, 3000)
    const unknown = await fetchPool(pooled(), 'ETH-USDC')
    assert.deepEqual([unknown.price, unknown.priceChange24h], [0, 0])
  })

  test('a spot market as a pool reports its change over 24 hours in percent, or since its first price when younger', async () => {
    const scenario = traded()
    const { priceChange24h } = await fetchPool(scenario, 'ETH-USDC')
    assert.equal(priceChange24h, 100 / 3000)
    scenario.next(24 * 3600).place('dave', 'buy', 300_100, 1n)
    const day = await fetchPool(scenario, 'ETH-USDC')
    assert.equal(day.price, 3001.5)
    assert.equal(day.priceChange24h, 50 / 3001)
  })

  test('a spot market as a pool has the USD value of the trades of 24 clock hours', async () => {
    const scenario = pooled().on('ETH-USDC')
    scenario.index('USDC', (E18 * 99n) / 100n)
    scenario.place('alice', 'buy', 300_000, 20_000n).place('bob', 'sell', 300_000, 5_000n).next(60)
    const node = await integratedNode(scenario.blocks())
    assert.equal((await readPool(node, 'ETH-USDC')).volume24h, 1500 * 0.99)
    const hour = scenario.seconds - (scenario.seconds % 3600)
    node.setNow(hour + 24 * 3600 - 1)
    assert.equal((await readPool(node, 'ETH-USDC')).volume24h, 1485)
    node.setNow(hour + 24 * 3600)
    assert.equal((await readPool(node, 'ETH-USDC')).volume24h, 0)
    await node.close()
  })

  test('a spot market as a pool holds the USD value of the orders resting in its book', async () => {
    const scenario = traded()
    assert.equal((await fetchPool(scenario, 'ETH-USDC')).tvl, 1.5 * 3000 + 1 * 3000)
    assert.equal((await fetchPool(scenario.index('ETH', 4000n * E18), 'ETH-USDC')).tvl, 4500 + 4000)
  })

  test('a spot market as a pool follows each block on both answer paths', async () => {
    const scenario = traded()
    const node = await integratedNode(scenario.blocks())
    const known = scenario.blocks().length
    const before = await readPool(node, 'ETH-USDC')
    scenario.place('alice', 'buy', 300_100, 10_000n).next()
    node.applyBlocks(scenario.blocks().slice(known))
    assert.equal((await readPool(node, 'ETH-USDC')).tvl, before.tvl + 3001)
    node.undoBlock()
    assert.deepEqual(await readPool(node, 'ETH-USDC'), before)
    await node.close()
  })
})

describe('an AMM pool as a pool', () => {
  test('an AMM pool answers to its address in any case, with token0 as base and token1 as quote', async () => {
    const node = await integratedNode(pooled().blocks())
    for (const poolId of [POOLS.ethBtc, POOLS.ethBtc.toUpperCase().replace('X', 'x')]) {
      const { baseToken, quoteToken, ...pool } = await readPool(node, poolId)
      assert.deepEqual([baseToken.symbol, quoteToken.symbol], ['ETH', 'BTC'])
      assert.equal(pool.poolId, POOLS.ethBtc)
    }
    await node.close()
  })

  test('an AMM pool costs token1 per whole token0, by its reserves or by its root price', async () => {
    const pair = await fetchPool(pooled(), POOLS.pair)
    assert.equal(pair.price, 1 / 3000)
    const ranged = await fetchPool(pooled(), POOLS.ethBtc)
    assert.ok(Math.abs(ranged.price - 0.05) < 1e-9, String(ranged.price))
  })

  test('an AMM pool reports its change in percent since the start of the hour 23 hours ago', async () => {
    const scenario = pooled()
    assert.equal((await fetchPool(scenario, POOLS.pair)).priceChange24h, 0)
    scenario.atPool('USDC/ETH v2', (pool) => pool.add(100_000n * UNIT.USDC, 1n)).next(3600)
    const { priceChange24h } = await fetchPool(scenario, POOLS.pair)
    assert.ok(Math.abs(priceChange24h + 25) < 1e-9, String(priceChange24h))
    const node = await integratedNode(scenario.blocks())
    const hour = scenario.seconds - 3600 - ((scenario.seconds - 3600) % 3600)
    node.setNow(hour + 24 * 3600 - 1)
    assert.equal((await readPool(node, POOLS.pair)).priceChange24h, priceChange24h)
    node.setNow(hour + 24 * 3600)
    assert.equal((await readPool(node, POOLS.pair)).priceChange24h, 0)
    await node.close()
  })

  test('an AMM pool has the value and volume that the list of pools reports', async () => {
    const scenario = pooled()
      .atPool('USDC/ETH v3', (pool) => pool.swap(true, 9n * UNIT.USDC))
      .next()
    const node = await integratedNode(scenario.blocks())
    const { body } = await node.get('/api/markets/earn-markets')
    const { markets } = body as { markets: { address: string; tvl: number; volume24h: number }[] }
    for (const { address, tvl, volume24h } of markets) {
      const pool = await readPool(node, address)
      assert.deepEqual([pool.tvl, pool.volume24h], [tvl, volume24h])
    }
    assert.equal((await readPool(node, POOLS.ranged)).volume24h, 9)
    await node.close()
  })

  test('an AMM pool costs nothing before it has a price', async () => {
    const scenario = pooled().atPool('ETH/LIAR v2', () => {})
    const { price, priceChange24h, tvl, volume24h } = await fetchPool(scenario, POOLS.liar)
    assert.deepEqual([price, priceChange24h, tvl, volume24h], [0, 0, 0, 0])
  })
})

describe('an unknown pool', () => {
  let node: IntegratedScenarioNode
  before(async () => {
    const scenario = funded('ETH-USDC', 'ETH-PERP')
    node = await integratedNode(scenario.next().blocks())
  })
  after(() => node.close())

  for (const poolId of [
    'ETH-PERP',
    LISTINGS['ETH-PERP'].id,
    'SOL-USDC',
    POOLS.pair,
    '0x',
    '0',
    '..%2f',
    '__proto__',
    'a'.repeat(200),
  ])
    test(`the unknown pool ${poolId.slice(0, 50)} is 404 with the one error body, naming the field`, async () => {
      const { status, body } = await node.get(`/api/clob/pools/${poolId}`)
      const { error, message, details, request_id: id } = body as Record<string, unknown>
      assert.deepEqual([status, error, message], [404, 'POOL_NOT_FOUND', 'Pool not found'])
      assert.equal((details as { field: string }[])[0]?.field, 'poolId')
      assert.equal(typeof id, 'string')
    })
})

describe('the info', () => {
  const readInfo = async (scenario: Scenario) => {
    const options = { environment: 'mainnet', version: '1.2.3', readyCacheMs: 0 }
    const settings = { chainId: 77, trading: 'coming_soon', newMarketsWindowSeconds: 1 } as const
    const node = await integratedNode(scenario.next().blocks(), { options, settings })
    const { body, text } = await node.get('/api/clob/info')
    assert.ok(Value.Check(ClobInfo, body), text)
    await node.close()
    return body
  }

  test('the info names the venue, the build, the network, the chain and whether trading is open', async () => {
    const { name, version, description, chain, chainId, trading } = await readInfo(pooled())
    assert.deepEqual([name, version, chain, chainId], ['openvenue', '1.2.3', 'mainnet', 77])
    assert.equal(trading, 'coming_soon')
    assert.match(description, /order books/)
  })

  test('the info lists the features that exist', async () => {
    const { features } = await readInfo(pooled())
    const none = { spot: false, perpetual: false, amm: false, clmm: false }
    const always = { onChainMatching: true, nonCustodial: true }
    assert.deepEqual(features, { ...none, ...always, spot: true, amm: true, clmm: true })
    const perpetual = await readInfo(funded('ETH-PERP'))
    assert.deepEqual(perpetual.features, { ...none, ...always, perpetual: true })
  })

  test('the info has endpoints that all answer', async () => {
    const { endpoints } = await readInfo(pooled())
    const node = await integratedNode(pooled().blocks())
    for (const path of Object.values(endpoints)) {
      const { statusCode } = await node.host.inject(path.replace('{poolId}', 'ETH-USDC'))
      assert.equal(statusCode, 200, path)
    }
    await node.close()
  })

  test('the info names the first pool and the first market of a kind at once', async () => {
    const scenario = funded('ETH-USDC').next()
    const node = await integratedNode(scenario.blocks())
    const hasAmm = async () => ((await node.get('/api/clob/info')).body as ClobInfo).features.amm
    assert.equal(await hasAmm(), false)
    const known = scenario.blocks().length
    scenario.atPool('ETH/LIAR v2', () => {}).next()
    node.applyBlocks(scenario.blocks().slice(known))
    assert.equal(await hasAmm(), true)
    list(scenario, 'ETH-PERP').next()
    node.applyBlocks(scenario.blocks().slice(known + 1))
    assert.equal(((await node.get('/api/clob/info')).body as ClobInfo).features.perpetual, true)
    await node.close()
  })
})
