// Ends orders on behalf of an account: withdraws unsent ones, and cancels the rest as the account's
// canceller. Failed writes are retried.
import { orderId } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import { CANCEL_LANE, gasOf } from '@openvenue/core/relay'
import type { VenueState } from '@openvenue/core/state'
import type { Intent, IntentState, Intents, NewIntent } from '@openvenue/store/intents/intents'
import type { Clock } from '../clock.ts'

/** Why the venue ended an order; shown to its owner. */
type RetractReason =
  | 'CANCEL_AFTER'
  | 'CANCEL_ON_DISCONNECT'
  | 'MMP'
  | 'PARENT_ENDED'
  | 'POSITION_ENDED'
  | 'OCO'

const NS_PER_MS = 1_000_000n
const NEVER = 2n ** 256n - 1n
/** Maximum number of intents written in one round. */
const ROUND_MAX = 500

type RetractDeps = Readonly<{
  intents: Pick<Intents, 'move' | 'add' | 'find'>
  state: () => VenueState
  clock: Clock
}>

/** An order on chain with its owner's wallet; orders that were not relayed have no intent. */
type OwnedOrder = Readonly<{ order: Order; wallet: string }>

export class Retractions {
  readonly #deps: RetractDeps
  readonly #ids = new Map<string, RetractReason>()
  readonly #resting = new Map<string, OwnedOrder>()

  constructor(deps: RetractDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#ids.size + this.#resting.size
  }

  /** Ends an accepted order in whatever state it is. */
  take(id: string, reason: RetractReason): void {
    if (!this.#ids.has(id)) this.#ids.set(id, reason)
  }

  /** Cancels a resting order, relayed or not. */
  cancel(resting: OwnedOrder): void {
    this.#resting.set(orderId(resting.order), resting)
  }

  /** Writes the pending retractions; throws when it cannot. */
  async round(): Promise<void> {
    await this.#withdraw()
    const cancels = [...this.#resting].slice(0, ROUND_MAX)
    await this.#add(cancels.map(([target, { order, wallet }]) => ({ ...order, wallet, target })))
    for (const [target] of cancels) this.#resting.delete(target)
  }

  async #withdraw(): Promise<void> {
    const all = [...this.#ids].slice(0, ROUND_MAX)
    if (all.length === 0) return
    const atNs = BigInt(this.#deps.clock.nowMs()) * NS_PER_MS
    const moved = await this.#deps.intents.move(
      all.map(([id, reason]) => ({
        id,
        reason,
        atNs,
        from: ['received', 'queued'] as const,
        to: 'withdrawn' as const,
        isUnsent: true,
      })),
    )
    const rest = all.filter((_, at) => !moved[at]).map(([id]) => id)
    const intents = await this.#deps.intents.find(rest)
    // An ended order needs no cancel; a pending one is cancelled once it is on the chain.
    const going = intents.filter(
      ({ state, payload }) => payload.kind === 'order' && ON_ITS_WAY.includes(state),
    )
    await this.#add(
      going.map(({ id, account, wallet, market }) => ({ target: id, account, wallet, market })),
    )
    for (const [id] of all) this.#ids.delete(id)
  }

  async #add(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) return
    const intents = targets.map((target) => this.#cancelIntent(target, ''))
    const outcomes = await this.#deps.intents.add(intents)
    // A cancel that was refused before, for lack of permission, is repeated under another id.
    const again = targets.filter((_, at) => {
      const outcome = outcomes[at]
      return outcome !== undefined && 'known' in outcome && isOver(outcome.known)
    })
    if (again.length === 0) return
    const name = `:${this.#deps.clock.nowMs()}`
    await this.#deps.intents.add(again.map((target) => this.#cancelIntent(target, name)))
  }

  #cancelIntent({ target, account, wallet, market }: Target, name: string): NewIntent {
    const isPerpetual = this.#deps.state().records.market.get(market)?.type === 'PERPETUAL'
    return {
      id: `cancel:${target}${name}`,
      account,
      wallet,
      market,
      lane: CANCEL_LANE,
      state: 'queued',
      gas: gasOf({ kind: 'cancel', isPerpetual }),
      payload: { kind: 'cancel', target },
      deadlineSeconds: NEVER,
      receivedNs: BigInt(this.#deps.clock.nowMs()) * NS_PER_MS,
      includeByBlock: 0,
    }
  }
}

type Target = Readonly<{ target: string; account: number; wallet: string; market: string }>

/** States of orders that a transaction carries or has carried, so that they cannot be withdrawn. */
const ON_ITS_WAY: readonly IntentState[] = ['queued', 'sent', 'included']

const isOver = ({ state }: Intent) => state === 'refused' || state === 'expired'
