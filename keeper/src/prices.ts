// Pushes index prices. A push that the oracle refuses as a whole is tried asset by asset, so that
// one bad price does not make the others stale.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { encodeFunctionData, stringToHex } from 'viem'
import { readHead } from './chain-look.ts'
import type { Desk } from './desk.ts'
import type { Duty } from './duty.ts'
import type { Call, Outcome } from './flight.ts'
import type { PriceSource } from './price-source.ts'
import { reasonText } from './reason.ts'

/** Pause between observations. */
export const PRICES_MS = 1_000

type Price = readonly [asset: string, price: bigint]

/** Every price of the source was refused. */
export class PricesRefused extends Error {
  override name = 'PricesRefused'
}

/** Returns the duty that pushes what `source` observes. */
export function pricesDuty(desk: Desk, source: PriceSource): Duty {
  return {
    name: 'prices',
    everyMs: PRICES_MS,
    round: async () => {
      const { prices, seconds } = await source.prices()
      if (prices.size === 0) return
      // The oracle takes nothing from the future, and a block may be older than the wall's clock.
      const head = await readHead(desk.node)
      const at = Math.min(seconds, head.seconds)
      const outcome = await desk.send('prices', pushOf(desk, [...prices], at))
      if (outcome.kind === 'refused' && prices.size > 1) await pushEach(desk, [...prices], at)
      else if (outcome.kind === 'refused') throw new PricesRefused(reasonText(outcome.reason))
    },
  }
}

async function pushEach(desk: Desk, prices: readonly Price[], seconds: number): Promise<void> {
  const outcomes = await Promise.all(
    prices.map(
      async (price): Promise<[string, Outcome]> => [
        price[0],
        await desk.send('prices', pushOf(desk, [price], seconds)),
      ],
    ),
  )
  const reasons = outcomes.flatMap(([asset, outcome]) =>
    outcome.kind === 'refused' ? [`${asset}: ${reasonText(outcome.reason)}`] : [],
  )
  if (reasons.length === prices.length) throw new PricesRefused(reasons.join('; '))
  for (const reason of reasons) desk.log.warn({ reason }, 'a price was refused')
}

const pushOf = (desk: Desk, prices: readonly Price[], seconds: number): Call => ({
  to: desk.deployment.oracles[0] ?? '',
  data: encodeFunctionData({
    abi: pushOracleAbi,
    functionName: 'push',
    args: [
      prices.map(([asset]) => stringToHex(asset, { size: 32 })),
      prices.map(([, price]) => price),
      seconds,
    ],
  }),
  what: `prices of ${prices.map(([asset]) => asset).join(', ')}`,
})
