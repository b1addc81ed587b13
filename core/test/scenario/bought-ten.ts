// Plays the opening shared by the tests of forced closes.
import { E18 } from '../../src/integers.ts'
import { scenario } from './scenario.ts'

/** Alice (3) has bought 10 lots from Bob (4) at 30,000 ticks; Carol (5) trades later. */
export const boughtTen = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .deposit('carol', 'USDC', 100_000n)
    .place('bob', 'sell', 30_000, 10n)
    .place('alice', 'buy', 30_000, 10n)
    .next()
