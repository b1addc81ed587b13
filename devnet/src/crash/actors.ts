// Accounts of the crash: positions of every kind in one market, at a price P before it.
import type { PerpTerms } from '../markets.ts'
import { MARKETS } from '../markets.ts'

/** An account and its position when the price falls. Amounts are thousandths of ETH and USDC. */
export type Actor = Readonly<{
  /** Index in the mnemonic. */
  index: number
  name: string
  /** The demonstrated case. */
  role: string
  isLong: boolean
  /** Thousandths of an ETH. */
  milliEth: bigint
  /** Collateral, in ten-thousandths of the position's value at P. */
  stake: bigint
}>

const BEAR_INDEX = 5

/**
 * The price falls by 30 %. At a maximum leverage of 20 the maintenance margin of what is left is
 * 1.75 % of the value at P: a stake of 31.6 % ends a little below it, one of 30.5 % far below, one
 * of less than 30 % under water.
 */
export const LONGS: readonly Actor[] = [
  {
    index: 6,
    name: 'cautious',
    role: 'has no leverage and stays',
    isLong: true,
    milliEth: 10_000n,
    stake: 10_100n,
  },
  {
    index: 7,
    name: 'large',
    role: 'is above 100,000 and closed in slices',
    isLong: true,
    milliEth: 51_000n,
    stake: 3_159n,
  },
  {
    index: 8,
    name: 'deep',
    role: 'was near its margin and ends under water',
    isLong: true,
    milliEth: 20_000n,
    stake: 570n,
  },
  {
    index: 9,
    name: 'tiny',
    role: 'has a position of some dollars',
    isLong: true,
    milliEth: 20n,
    stake: 3_150n,
  },
  {
    index: 17,
    name: 'drowned',
    role: 'was near its margin and ends under water',
    isLong: true,
    milliEth: 5_000n,
    stake: 600n,
  },
  {
    index: 18,
    name: 'faller',
    role: 'ends far below its maintenance margin',
    isLong: true,
    milliEth: 2_000n,
    stake: 3_060n,
  },
]

/** A winner with much leverage: the first to be deleveraged against. */
export const LEVERAGED: Actor = {
  index: 19,
  name: 'leveraged',
  role: 'is short with much leverage, and wins',
  isLong: false,
  milliEth: 5_000n,
  stake: 600n,
}

/** Sells to all the longs what the leveraged one does not, and bids below. */
export const BEAR: Actor = {
  index: BEAR_INDEX,
  name: 'bear',
  role: 'is short with little leverage, and wins',
  isLong: false,
  milliEth: LONGS.reduce((sum, { milliEth }) => sum + milliEth, 0n) - LEVERAGED.milliEth,
  stake: 20_000n,
}

export const ACTORS: readonly Actor[] = [BEAR, LEVERAGED, ...LONGS]

/** The market of the crash. */
export const CRASH_MARKET = findPerp('ETH-PERP')

function findPerp(name: string): PerpTerms {
  const market = MARKETS.find((terms) => terms.name === name)
  if (market?.type !== 'perp') throw new Error(`the devnet lists no perpetual ${name}`)
  return market
}
