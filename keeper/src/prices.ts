// Pushes index prices. A push that the oracle refuses as a whole is retried asset by asset, so that
// one bad price does not make the others stale.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { encodeFunctionData, stringToHex } from 'viem'
import { readHead } from './chain-snapshot.ts'
import type { TxRequest } from './pending-tx.ts'
import type { PriceSource } from './price-source.ts'
import { reasonText } from './reason.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Pause between observations. */
const PRICES_MS = 1_000

/** How long a price is left out after it was refused while others were accepted. */
const LEFT_OUT_MS = 30_000

type Price = readonly [asset: string, price: bigint]

/** Thrown when every price of the source was refused. */
class PricesRefused extends Error {
  override name = 'PricesRefused'
}

/** Returns the task that pushes the prices of `source`. */
export function pricesTask(context: TaskContext, source: PriceSource): Task {
  /** Time of the refusal of each asset, by its name. */
  const leftOut = new Map<string, number>()
  return {
    name: 'prices',
    everyMs: PRICES_MS,
    round: async () => {
      const { prices, seconds } = await source.prices()
      const nowMs = context.clock.nowMs()
      const chosen = [...prices].filter(([asset]) => !isLeftOut(leftOut.get(asset), nowMs))
      if (chosen.length === 0) return
      // The oracle refuses times in the future, and a block may be behind the system clock.
      const head = await readHead(context.node)
      const at = Math.min(seconds, head.seconds)
      const outcome = await context.send('prices', pushRequest(context, chosen, at))
      if (outcome.kind !== 'refused') return
      for (const asset of await pushEach(context, chosen, at)) leftOut.set(asset, nowMs)
    },
  }
}

/** The absolute value keeps a clock that was set back from prolonging the pause. */
const isLeftOut = (refusedMs: number | undefined, nowMs: number) =>
  refusedMs !== undefined && Math.abs(nowMs - refusedMs) < LEFT_OUT_MS

/** Pushes prices one by one. Returns the refused assets; throws when all are refused. */
async function pushEach(
  context: TaskContext,
  prices: readonly Price[],
  seconds: number,
): Promise<readonly string[]> {
  const outcomes = await context.sendAll(
    'prices',
    prices.map((price) => pushRequest(context, [price], seconds)),
  )
  const refused = prices.flatMap(([asset], at): [string, string][] => {
    const outcome = outcomes[at]
    return outcome?.kind === 'refused' ? [[asset, reasonText(outcome.reason)]] : []
  })
  if (refused.length === prices.length)
    throw new PricesRefused(refused.map(([asset, reason]) => `${asset}: ${reason}`).join('; '))
  for (const [asset, reason] of refused) context.log.warn({ asset, reason }, 'a price was refused')
  return refused.map(([asset]) => asset)
}

const pushRequest = (
  context: TaskContext,
  prices: readonly Price[],
  seconds: number,
): TxRequest => ({
  to: context.deployment.oracles[0] ?? '',
  data: encodeFunctionData({
    abi: pushOracleAbi,
    functionName: 'push',
    args: [
      prices.map(([asset]) => stringToHex(asset, { size: 32 })),
      prices.map(([, price]) => price),
      seconds,
    ],
  }),
  description: `prices of ${prices.map(([asset]) => asset).join(', ')}`,
  isUrgent: true,
})
