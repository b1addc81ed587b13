// Produces the hours before a new devnet's first minute, as fast as the chain computes them.
import type { PoolTrading } from './amm/pool-trading.ts'
import type { Chain } from './chain.ts'
import { MARKETS } from './markets.ts'
import type { Money } from './money.ts'
import type { PricePusher } from './price-pusher.ts'
import type { Trading } from './trading.ts'

/** Interval of blocks with a price, a poke and a round of the traders at every market. */
const STEP_SECONDS = 60
/** Steps between two movements of money. */
const MONEY_STEPS = 6
/** Steps between two rounds at the pools, with random swaps in each. */
const POOL_STEPS = 5
const RANDOM_SWAPS = 3

type HistoryOptions = Readonly<{
  chain: Pick<Chain, 'mine'>
  pusher: PricePusher
  trading: Trading
  money: Money
  poolTrading: PoolTrading
  /** Unix seconds: after the newest block, and not after now. */
  fromSeconds: number
  /** Called before each step: the history ends when it reaches the present. */
  nowSeconds: () => number
  /** Called with the progress, Unix seconds; an error from it ends the history. */
  reached?: (seconds: number) => void
}>

/** Resolves when the chain has reached the present. */
export async function produceHistory(options: HistoryOptions): Promise<void> {
  const { chain, pusher, trading, money, poolTrading, fromSeconds, nowSeconds, reached } = options
  await pusher.push(fromSeconds)
  await money.fund()
  await chain.mine(fromSeconds)
  let step = 0
  for (let at = fromSeconds + STEP_SECONDS; at <= nowSeconds(); at += STEP_SECONDS) {
    reached?.(at)
    const prices = await pusher.push(at)
    await trading.catchUp()
    trading.expect(prices, at)
    await trading.act(MARKETS)
    if (++step % MONEY_STEPS === 0) await money.move()
    if (step % POOL_STEPS === 0) await poolTrading.act(RANDOM_SWAPS)
    await chain.mine(at)
  }
}
