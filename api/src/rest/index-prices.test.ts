import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOKENS } from '@openvenue/core/test/scenario/listing'
import { Assets, type IndexPriceItem, IndexPrices } from '@openvenue/wire/index-prices'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const scenario = funded('ETH-USDC', 'BTC-USDC', 'ETH-PERP', 'SOL-PERP')
let node: ScenarioNode
before(async () => {
  node = await scenarioNode(scenario.blocks())
})
after(() => node.close())

describe('index prices', () => {
  const eth = { asset: 'ETH', price: '3000', timestamp: `${scenario.seconds - 1}000000000` }
  for (const url of [
    '/index/ETH',
    '/index/eth',
    '/index/Eth',
    '/index?asset=ETH',
    '/index?asset=eth',
  ])
    test(`index prices at ${url} are an array of the one asset`, async () => {
      const { status, body, headers } = await node.get(url)
      assert.deepEqual([status, body], [200, [eth]])
      assert.ok(headers['x-block-number'])
    })

  test('index prices of every token that the indexer knows are at /index, null where there is none', async () => {
    const { status, body } = await node.get('/index')
    assert.equal(status, 200)
    assert.ok(Value.Check(IndexPrices, body))
    assert.deepEqual(body, [
      { asset: 'BTC', price: null, timestamp: null },
      eth,
      { asset: 'USDC', price: null, timestamp: null },
    ])
  })

  test('index prices of a perpetual underlying that is not a token are at /index/{asset}', async () => {
    for (const url of ['/index/sol', '/index?asset=SOL']) {
      const [sol] = (await node.get(url)).body as IndexPriceItem[]
      assert.deepEqual([sol?.asset, sol?.price], ['SOL', '150'], url)
    }
    const all = (await node.get('/index')).body as IndexPriceItem[]
    assert.ok(all.every(({ asset }) => asset !== 'SOL'))
  })

  for (const url of ['/index/DOGE', '/index/doge', '/index?asset=DOGE', '/index?asset=doge'])
    test(`index prices at ${url} have price "0", not 404`, async () => {
      const { status, body } = await node.get(url)
      assert.equal(status, 200)
      assert.deepEqual(body, [{ asset: 'DOGE', price: '0', timestamp: null }])
    })

  test('index prices follow the oracle', async () => {
    const scenario = funded('ETH-PERP')
    const one = await scenarioNode(scenario.blocks())
    const known = scenario.blocks().length
    one.applyBlocks(
      scenario
        .index('ETH', 31n * 10n ** 17n)
        .blocks()
        .slice(known),
    )
    const { body } = await one.get('/index/ETH')
    await one.close()
    assert.equal((body as IndexPriceItem[])[0]?.price, '3.1')
  })
})

test('GET /assets lists the tokens with their decimals', async () => {
  const { status, body, headers } = await node.get('/assets')
  assert.equal(status, 200)
  assert.ok(headers['x-block-hash'])
  assert.ok(Value.Check(Assets, body))
  assert.deepEqual(
    body,
    [TOKENS.BTC, TOKENS.ETH, TOKENS.USDC].map(({ address, name, symbol, decimals }) => ({
      asset_id: address,
      asset_name: name,
      symbol,
      address,
      decimals,
    })),
  )
})
