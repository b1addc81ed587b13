// Produces the hours before a new devnet's first minute, as fast as the chain computes them.
import type { PoolTrading } from './amm/pool-trading.ts'
import type { Chain } from './chain.ts'
import { MARKETS } from './markets.ts'
import type { Money } from './money.ts'
import type { PricePusher } from './price-pusher.ts'
import type { Trading } from './trading.ts'

/** One block with a price, a poke and a look of the traders at every market in so many seconds. */
const STEP_SECONDS = 60
/** One movement of money in so many steps. */
const MONEY_STEPS = 6
/** One look at the pools in so many steps, and so many random swaps at each. */
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
  /** Asked each time before a step: history ends when it reaches the present. */
  nowSeconds: () => number
  /** Hears how far it is, Unix seconds; what it throws ends the history. */
  reached?: (seconds: number) => void
}>

/** Returns when the chain has reached the present. */
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
