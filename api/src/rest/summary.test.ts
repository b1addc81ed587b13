import assert from 'node:assert/strict'
import { test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { MarketsSummary } from '@openvenue/wire/summary'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

test('GET /markets-summary gives each asset with the markets that it has', async () => {
  const scenario = funded('ETH-USDC', 'BTC-USDC', 'ETH-PERP', 'SOL-PERP').on('ETH-USDC')
  scenario.place('alice', 'buy', 300_000, 10n).place('bob', 'sell', 300_000, 10n)
  const { get, close } = await scenarioNode(scenario.blocks())
  const { status, body, headers } = await get('/markets-summary')
  await close()
  assert.equal(status, 200)
  assert.ok(headers['x-block-number'])
  assert.ok(Value.Check(MarketsSummary, body))
  const spot = (name: 'ETH-USDC' | 'BTC-USDC') => ({
    instrument_id: LISTINGS[name].id,
    instrument_name: name,
  })
  const perpetual = (name: 'ETH-PERP' | 'SOL-PERP', mark_price: string) => ({
    instrument_id: LISTINGS[name].id,
    instrument_name: name,
    mark_price,
    last_price: null,
    volume_24h: '0',
    funding_rate: '0',
    open_interest: '0',
    max_leverage: '20',
  })
  assert.deepEqual(body, {
    summaries: [
      {
        asset: 'ETH',
        index_price: '3000',
        spot_info: {
          ...spot('ETH-USDC'),
          mark_price: '3000',
          last_price: '3000',
          volume_24h: '3',
        },
        perpetual_info: perpetual('ETH-PERP', '3000'),
      },
      {
        asset: 'BTC',
        index_price: null,
        spot_info: { ...spot('BTC-USDC'), mark_price: null, last_price: null, volume_24h: '0' },
      },
      { asset: 'SOL', index_price: '150', perpetual_info: perpetual('SOL-PERP', '150') },
    ],
  })
})

test('an asset without a perpetual still has its index price', async () => {
  const { get, close } = await scenarioNode(
    funded('BTC-USDC')
      .index('BTC', 5n * E18)
      .blocks(),
  )
  const { body } = await get('/markets-summary')
  await close()
  const [btc] = (body as MarketsSummary).summaries
  assert.deepEqual([btc?.asset, btc?.index_price, btc?.perpetual_info], ['BTC', '5', undefined])
})
