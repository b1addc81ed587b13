// Plays the beginning that tests of forced closes share.
import { E18 } from '../../src/integers.ts'
import { scenario } from './scenario.ts'

/** Alice (3) has bought 10 lots of bob (4) at 30,000 ticks; carol (5) trades later. */
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
