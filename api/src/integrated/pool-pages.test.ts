// Pages of the lists of pools, and what is new.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { EarnMarkets } from '@openvenue/wire/pools'
import fc from 'fast-check'
import { type IntegratedScenarioNode, integratedNode } from '../../test/integrated-node.ts'
import { makeToken, type PairSpec, pair, pooled, TOKENS } from '../../test/pool-scenario.ts'

const EARN = '/api/markets/earn-markets'
const NEW = '/api/markets/new-markets'
const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)

const poolAddress = (number: number) => `0xdd${number.toString(16).padStart(38, '0')}`

/** Creates a pair of USDC with a token of its own, holding `usdc` raw USDC. */
const found = (scenario: Scenario, number: number, usdc: bigint) =>
  pair(scenario, {
    address: poolAddress(number),
    tokens: [TOKENS.USDC, makeToken(`c${number}`, `T${number}`)],
    reserves: [usdc, E18],
  })

async function readPage(node: IntegratedScenarioNode, url: string): Promise<EarnMarkets> {
  const { status, body, text } = await node.get(url)
  assert.equal(status, 200, text)
  return body as EarnMarkets
}

/** Reads a list page by page. */
async function scanned(node: IntegratedScenarioNode, url: string): Promise<string[]> {
  const addresses: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: EarnMarkets = await readPage(node, `${url}&cursor=${cursor}`)
    addresses.push(...page.markets.map(({ address }) => address))
    cursor = page.next_cursor
  }
  return addresses
}

describe('a page of pools', () => {
  test(`a page of pools continues where the last one ended, whatever the order (seed ${seed})`, async () => {
    const property = fc.asyncProperty(
      fc.array(fc.bigInt({ min: 1n, max: 4n }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('tvl', 'volume24h', 'created'),
      async (worth, limit, sort) => {
        const scenario = pooled()
        for (const [number, usdc] of worth.entries()) {
          found(scenario, number, usdc)
          if (number % 3 === 0) scenario.next()
        }
        const node = await integratedNode(scenario.next().blocks())
        for (const list of [EARN, NEW]) {
          const { markets } = await readPage(node, `${list}?sort=${sort}`)
          const all = markets.map(({ address }) => address)
          assert.equal(all.length, 3 + worth.length)
          assert.deepEqual(await scanned(node, `${list}?sort=${sort}&limit=${limit}`), all)
        }
        await node.close()
      },
    )
    await fc.assert(property, { seed, numRuns: 15 })
  })

  test('a page of pools has 100 rows by default and at most 1000', async () => {
    const scenario = pooled()
    for (let number = 0; number < 1000; number++) found(scenario, number, 1n)
    const node = await integratedNode(scenario.next().blocks())
    for (const list of [EARN, NEW]) {
      assert.equal((await readPage(node, list)).markets.length, 100)
      assert.equal((await readPage(node, `${list}?limit=5000`)).markets.length, 1000)
    }
    await node.close()
  })

  test('a page of pools of equal value is sorted by address; one of equal blocks by log', async () => {
    const scenario = pooled()
    for (const number of [7, 3, 5]) found(scenario, number, 1n)
    const node = await integratedNode(scenario.next().blocks())
    const last = (await readPage(node, EARN)).markets.slice(3)
    assert.deepEqual(
      last.map(({ address }) => address),
      [poolAddress(3), poolAddress(5), poolAddress(7)],
    )
    const newest = (await readPage(node, NEW)).markets.slice(0, 3)
    assert.deepEqual(
      newest.map(({ address }) => address),
      [poolAddress(5), poolAddress(3), poolAddress(7)],
    )
    await node.close()
  })

  test('a page of pools keeps its position while pools come and go before it', async () => {
    const scenario = pooled()
    const node = await integratedNode(scenario.blocks())
    const { next_cursor: cursor } = await readPage(node, `${EARN}?sort=created&limit=2`)
    const known = scenario.blocks().length
    found(scenario, 1, 1n).next()
    node.applyBlocks(scenario.blocks().slice(known))
    const after = await readPage(node, `${EARN}?sort=created&limit=2&cursor=${cursor}`)
    assert.equal(after.markets.length, 1)
    assert.equal(after.next_cursor, null)
    await node.close()
  })

  test('a page of pools is refused for a cursor of another list, order or filter, or for a foreign one', async () => {
    const node = await integratedNode(pooled().blocks())
    const { next_cursor: cursor = '' } = await readPage(node, `${EARN}?limit=1`)
    const parts = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString())
    const made = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const address = parts[2]
    for (const url of [
      `${NEW}?cursor=${cursor}`,
      `${NEW}?sort=tvl&cursor=${cursor}`,
      `${EARN}?sort=created&cursor=${cursor}`,
      `${EARN}?type=amm&cursor=${cursor}`,
      `${EARN}?token=ETH&cursor=${cursor}`,
      `${EARN}?cursor=nothing`,
      `${EARN}?cursor=${made(parts[0], '1x', address)}`,
      `${EARN}?cursor=${made(parts[0], 1, address)}`,
      `${EARN}?cursor=${made(parts[0], '1', 'x')}`,
      `${EARN}?cursor=${made(parts[0], '1', address, 1)}`,
      `${EARN}?cursor=${made(parts[0], '9'.repeat(1001), address)}`,
    ]) {
      const { status, body } = await node.get(url)
      assert.deepEqual([status, (body as { error: string }).error], [400, 'INVALID_CURSOR'], url)
    }
    assert.equal((await node.get(`${EARN}?limit=5&cursor=${cursor}`)).status, 200)
    assert.equal((await node.get(`${EARN}?sort=tvl&cursor=${cursor}`)).status, 200)
    await node.close()
  })
})

test('a pool worth more than any real one can be paged past', async () => {
  const scenario = pooled()
  let token: PairSpec['tokens'][number] = TOKENS.USDC
  for (let number = 0; number < 6; number++) {
    const next = makeToken(`c${number}`, `T${number}`)
    const tokens = [token, next] as const
    pair(scenario, { address: poolAddress(number), tokens, reserves: [2n ** 112n - 1n, 1n] })
    token = next
  }
  const node = await integratedNode(scenario.next().blocks())
  assert.equal((await scanned(node, `${EARN}?limit=1`)).length, 9)
  await node.close()
})

describe('a new pool', () => {
  const window = (newMarketsWindowSeconds: number) => ({
    settings: { chainId: 1, trading: 'live' as const, newMarketsWindowSeconds },
  })

  test('a new pool is one created within 30 days, to the second', async () => {
    const scenario = found(pooled(), 1, 1n)
    const created = scenario.seconds
    const node = await integratedNode(scenario.next().blocks())
    const isNew = async () =>
      (await readPage(node, NEW)).markets.some(({ address }) => address === poolAddress(1))
    node.setNow(created + 30 * 24 * 3600)
    assert.ok(await isNew())
    node.setNow(created + 30 * 24 * 3600 + 1)
    assert.ok(!(await isNew()))
    assert.equal((await readPage(node, EARN)).markets.length, 4)
    await node.close()
  })

  test('a pool counts as new for the time that the operator sets, on both answer paths', async () => {
    const scenario = found(pooled(), 1, 1n)
    const node = await integratedNode(scenario.next(60).blocks(), window(60))
    assert.equal((await readPage(node, NEW)).markets.length, 1)
    node.setNow(scenario.seconds - 60 + 61)
    assert.equal((await readPage(node, NEW)).markets.length, 0)
    await node.close()
  })

  test('a new pool is listed at once, and removed once its block is undone', async () => {
    const scenario = pooled()
    const node = await integratedNode(scenario.blocks())
    const known = scenario.blocks().length
    found(scenario, 1, 1n).next()
    node.applyBlocks(scenario.blocks().slice(known))
    assert.equal((await readPage(node, NEW)).markets[0]?.address, poolAddress(1))
    assert.equal((await node.get(`/api/clob/pools/${poolAddress(1)}`)).status, 200)
    node.undoBlock()
    assert.equal((await readPage(node, NEW)).markets.length, 3)
    assert.equal((await node.get(`/api/clob/pools/${poolAddress(1)}`)).status, 404)
    await node.close()
  })
})
