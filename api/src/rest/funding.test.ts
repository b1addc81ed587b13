import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { CurrentFunding } from '@openvenue/wire/funding'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

const PERP = LISTINGS['ETH-PERP']
type Funding = Record<string, unknown>

/** An hour sampled without premium, so that the base rate applies in the next one. */
const setUp = () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP')
  return scenario.poke().next(3600).poke().next(60).poke()
}

async function asked(scenario: Scenario, url: string) {
  const { get, close } = await scenarioNode(scenario.blocks())
  const answer = await get(url)
  await close()
  return answer
}

describe('current funding', () => {
  for (const url of ['/funding/ETH-PERP', '/funding?instrument_name=ETH-PERP'])
    test(`current funding at ${url} is per hour and accrues continuously`, async () => {
      const scenario = setUp()
      const { status, body, headers } = await asked(scenario, url)
      assert.equal(status, 200)
      assert.ok(Value.Check(CurrentFunding, body))
      assert.ok(headers['x-block-number'])
      const next = scenario.seconds - (scenario.seconds % 3600) + 3600
      assert.deepEqual(body, {
        funding_rate: '0.0000125',
        estimated_rate: '0.0000125',
        protocol_funding_rate: '0.0000125',
        next_funding_time: next * 1000,
        next_epoch: `${next}000000000`,
        funding_interval_seconds: 3600,
        funding_accrual: 'continuous',
        funding_update_interval_seconds: 60,
      })
    })

  test('next_funding_time follows the clock, with or without a poke', async () => {
    const { get, setNow, close } = await scenarioNode(setUp().blocks())
    const nextAt = async (seconds: number) => {
      setNow(seconds)
      return ((await get('/funding/ETH-PERP')).body as Funding).next_funding_time
    }
    assert.equal(await nextAt(1_800_000_000), 1_800_003_600_000)
    assert.equal(await nextAt(1_800_003_599), 1_800_003_600_000)
    assert.equal(await nextAt(1_800_003_600), 1_800_007_200_000)
    await close()
  })

  for (const name of ['eth-perp', 'ETH-Perp', 'ETH-USDC', 'ETH', 'nothing', 'DOGE-PERP'])
    for (const url of [`/funding/${name}`, `/funding?instrument_name=${name}`])
      test(`current funding at ${url} is "0"`, async () => {
        const { status, body } = await asked(setUp(), url)
        assert.equal(status, 200)
        assert.equal((body as Funding).funding_rate, '0')
        assert.ok(Value.Check(CurrentFunding, body))
      })

  test('current funding is found by id as well', async () => {
    const { body } = await asked(setUp(), `/funding/${PERP.id}`)
    assert.equal((body as Funding).funding_rate, '0.0000125')
  })

  test('current funding without instrument_name is refused', async () => {
    const { status, body } = await asked(setUp(), '/funding')
    assert.deepEqual([status, (body as Funding).error], [400, 'MISSING_PARAMETER'])
  })
})
