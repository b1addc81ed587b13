// Accounts with margin, positions and spot tokens: for tests.
import { E18 } from '@openvenue/core/integers'
import { type Scenario, scenario } from '@openvenue/core/test/scenario/scenario'

/**
 * alice is long 0.01 ETH at 2990 with 1000 USDC of margin, and rests a bid; at the spot engine she
 * holds 2 ETH, of which 0.001 is on sale, and 500 USDC.
 */
export const richScenario = (): Scenario =>
  scenario()
    .index('ETH', 3000n * E18)
    .index('USDC', E18)
    .list('ETH-USDC')
    .deposit('alice', 'ETH', 2n)
    .deposit('alice', 'USDC', 500n)
    .place('alice', 'sell', 310_000, 10n)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 1000n)
    .deposit('bob', 'USDC', 1_000_000n)
    .place('alice', 'buy', 29_900, 10n)
    .place('bob', 'sell', 29_900, 10n)
    .place('alice', 'buy', 29_000, 2n)
    .next(60)
    .poke()
    .next()

/** carol is long 1 ETH at 3000 with 160 USDC; then the index falls to `price`. */
export const fallenScenario = (price: bigint): Scenario =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('carol', 'USDC', 160n)
    .deposit('bob', 'USDC', 1_000_000n)
    .place('carol', 'buy', 30_000, 1000n)
    .place('bob', 'sell', 30_000, 1000n)
    .index('ETH', price * E18)
    .next(60)
    .poke()
    .next()
