// Builds a state without a database.

import type { Change } from '@openvenue/core/changes'
import { E18 } from '@openvenue/core/integers'
import { steadyMark } from '@openvenue/core/marks'
import type { Market, Position } from '@openvenue/core/records'
import { emptyState, fold, loaded, type VenueState } from '@openvenue/core/state'
import { plainMarket } from '@openvenue/core/test/scenario/plain-market'
import type { Follower } from '../src/venue-view.ts'

export const ENGINE = `0x${'ab'.repeat(20)}`
export const [FIRST, SECOND] = [plainMarket(ENGINE, 1), plainMarket(ENGINE, 2)] as const

/** A view of a state that only tests change. */
export class WrittenView {
  readonly state: VenueState
  readonly #followers = new Set<Follower>()

  constructor(state: VenueState) {
    this.state = state
  }

  onFold(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  /** Applies changes to the state and notifies the followers. */
  fold(changes: readonly Change[]): void {
    fold(this.state, changes)
    this.notify(changes)
  }

  /** Notifies the followers of changes already applied to the state. */
  notify(changes: readonly Change[]): void {
    for (const follower of this.#followers) follower(changes)
  }
}

/** `dollars` of collateral, and lots bought (negative: sold) at a price, by market. */
export type Stand = Readonly<{
  account: number
  dollars: bigint
  lots: readonly (readonly [Market, bigint, bigint])[]
}>

export function createState(stands: readonly Stand[], mark = 1_000n): VenueState {
  const state = emptyState()
  state.head = { number: 9, hash: '0x9', parentHash: '0x8', seconds: 3_600 } as never
  for (const market of [FIRST, SECOND])
    fold(state, [
      loaded('market', market),
      loaded('mark', steadyMark({ market: market.id, price: mark * E18, seconds: 3_600 })),
      loaded('funding', createFunding(market)),
    ])
  for (const { account, dollars, lots } of stands) {
    fold(state, [createCollateral(account, dollars)])
    for (const [market, count, price] of lots) {
      const quote = (-count * price * E18) / 1_000n
      fold(state, [loaded('position', createPosition(account, { market, lots: count, quote }))])
    }
  }
  return state
}

export const createCollateral = (account: number, dollars: bigint) =>
  loaded('collateral', { engine: ENGINE, account, amount: dollars * E18 })

const createFunding = (market: Market) => ({
  market: market.id,
  settledSeconds: 3_600,
  rate: 0n,
  perSecond: 0n,
  cumulative: 0n,
  mark: 0n,
  premiumSum: 0n,
  sampledSeconds: 0,
})

const createPosition = (
  account: number,
  { market, lots, quote }: Readonly<{ market: Market; lots: bigint; quote: bigint }>,
): Position => ({
  market: market.id,
  account,
  lots,
  quote,
  fundingIndex: 0n,
  bidLots: 0n,
  askLots: 0n,
  leverage: 0,
})
