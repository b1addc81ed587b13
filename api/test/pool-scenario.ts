// Scenarios with AMM pools in them: for tests of the second host.
import { E18 } from '@openvenue/core/integers'
import { TOKENS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { funded } from './funded.ts'

export const [ETH_USD, BTC_USD] = [3000n, 60_000n]
/** Raw units of a whole token. */
export const UNIT = { USDC: 10n ** 6n, ETH: E18, BTC: 10n ** 8n } as const

export const POOLS = {
  pair: `0x${'b1'.padStart(40, '0')}`,
  ranged: `0x${'b2'.padStart(40, '0')}`,
  ethBtc: `0x${'b3'.padStart(40, '0')}`,
  liar: `0x${'b4'.padStart(40, '0')}`,
} as const

/**
 * Lists the markets ETH-USDC and BTC-USDC, of prices at the oracle, and of three pools, an hour
 * one after the other: USDC/ETH v2 (300,000 USDC and 100 ETH), USDC/ETH v3 (30,000 and 10) and
 * ETH/BTC v3 (40 ETH and 2 BTC).
 */
export function pooled(): Scenario {
  const scenario = funded('ETH-USDC', 'BTC-USDC')
  scenario
    .index('ETH', ETH_USD * E18)
    .index('BTC', BTC_USD * E18)
    .index('USDC', E18)
    .next(3600)
  scenario
    .atPool('USDC/ETH v2', (pool) => pool.add(300_000n * UNIT.USDC, 100n * UNIT.ETH))
    .next(3600)
  scenario.atPool('USDC/ETH v3', (pool) => pool.add(30_000n * UNIT.USDC, 10n * UNIT.ETH)).next(3600)
  return scenario.atPool('ETH/BTC v3', (pool) => pool.add(40n * UNIT.ETH, 2n * UNIT.BTC)).next(3600)
}

/** Adds one more pair of two tokens, created now, that holds so much of each. */
export function pair(scenario: Scenario, { address, tokens, reserves }: PairSpec): Scenario {
  const [token0, token1] = tokens
  scenario.say({
    type: 'PoolCreated',
    factory: `0x${'f2'.padStart(40, '0')}`,
    version: 2,
    pool: address,
    token0: token0.address,
    token1: token1.address,
    fee: 3000,
    tickSpacing: null,
    tokens: tokens.map((token) => ({ ...token, totalSupply: 1000n })),
  })
  const [reserve0, reserve1] = reserves
  return scenario.say({ type: 'PoolSynced', pool: address, reserve0, reserve1 })
}

type TokenSpec = Readonly<{
  address: string
  symbol: string
  name: string
  decimals: number | null
}>
export type PairSpec = Readonly<{
  address: string
  tokens: readonly [TokenSpec, TokenSpec]
  /** Raw. */
  reserves: readonly [bigint, bigint]
}>

/** A token that the venue does not list. */
export const makeToken = (
  digits: string,
  symbol: string,
  decimals: number | null = 18,
): TokenSpec => ({
  address: `0x${digits.padStart(40, '0')}`,
  symbol,
  name: `${symbol} token`,
  decimals,
})

export { TOKENS }
