// Plays trades minute by minute, and reads the resulting candles from the api.
import assert from 'node:assert/strict'
import { E18 } from '@openvenue/core/integers'
import { Scenario, SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { Reader } from '@openvenue/store/store'
import { type CandleItem, Candles } from '@openvenue/wire/candles'
import { Value } from 'typebox/value'
import { freshReads } from './block-reads.ts'
import type { ScenarioNode } from './scenario-node.ts'

export const MINUTE = 60
const RICH = 10n ** 9n

/** A spot and a perpetual market; alice buys, bob sells. */
export function marketScenario(): Scenario {
  const scenario = new Scenario()
  scenario.index('ETH', 3000n * E18)
  for (const name of ['ETH-USDC', 'ETH-PERP', 'BTC-USDC'] as const) {
    scenario.list(name)
    for (const who of ['alice', 'bob']) scenario.deposit(who, 'USDC', RICH)
  }
  scenario.on('ETH-USDC').deposit('bob', 'ETH', RICH).on('BTC-USDC').deposit('bob', 'BTC', RICH)
  return scenario.on('ETH-USDC')
}

/** A trade of `lots` at `tick` where the taker buys or sells. */
export function trade(
  scenario: Scenario,
  tick: number,
  lots = 10n,
  taker: 'buy' | 'sell' = 'buy',
): Scenario {
  if (taker === 'buy')
    return scenario.place('bob', 'sell', tick, lots).place('alice', 'buy', tick, lots)
  return scenario.place('alice', 'buy', tick, lots).place('bob', 'sell', tick, lots)
}

/** One trade in each of `ticks`' minutes; `undefined` is a minute without. */
export function minutes(scenario: Scenario, ticks: readonly (number | undefined)[]): Scenario {
  for (const tick of ticks) {
    if (tick !== undefined) trade(scenario, tick)
    scenario.next(MINUTE)
  }
  return scenario
}

export const readItems = (body: unknown): CandleItem[] => {
  assert.ok(Value.Check(Candles, body))
  return body
}

export const readTimes = (body: unknown) =>
  readItems(body).map(({ time }) => (time - START) / MINUTE)

export const makeDeps = ({ model }: ScenarioNode, reader: Reader) => ({
  model,
  reader,
  fresh: freshReads(model),
})
