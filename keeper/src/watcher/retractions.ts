// Takes orders back for an account: withdraws what has not been sent, cancels the rest as the
// account's canceller. What could not be written is tried again.
import { orderId } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import { CANCEL_LANE, gasOf } from '@openvenue/core/relay'
import type { VenueState } from '@openvenue/core/state'
import type { Intent, IntentState, Intents, NewIntent } from '@openvenue/store/intents'
import type { Clock } from '../clock.ts'

/** Why the venue took an order back: the reason that its owner reads. */
export type RetractReason =
  | 'CANCEL_AFTER'
  | 'CANCEL_ON_DISCONNECT'
  | 'MMP'
  | 'PARENT_ENDED'
  | 'POSITION_ENDED'
  | 'OCO'

const NS_PER_MS = 1_000_000n
const NEVER = 2n ** 256n - 1n
/** Intents of one round: so much is written at once. */
const ROUND_MAX = 500

type RetractDeps = Readonly<{
  intents: Pick<Intents, 'move' | 'add' | 'find'>
  state: () => VenueState
  clock: Clock
}>

/** Whom an order on the chain is of; those that were not relayed have no intent that says so. */
export type RestingOrder = Readonly<{ order: Order; wallet: string }>

export class Retractions {
  readonly #deps: RetractDeps
  readonly #ids = new Map<string, RetractReason>()
  readonly #resting = new Map<string, RestingOrder>()

  constructor(deps: RetractDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#ids.size + this.#resting.size
  }

  /** Takes an order back that was accepted, wherever it is by now. */
  take(id: string, reason: RetractReason): void {
    if (!this.#ids.has(id)) this.#ids.set(id, reason)
  }

  /** Cancels an order that rests, whether it was relayed or not. */
  cancel(resting: RestingOrder): void {
    this.#resting.set(orderId(resting.order), resting)
  }

  /** Writes what waits; throws when it cannot. */
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
        ...{ id, reason, atNs },
        from: ['received', 'queued'] as const,
        to: 'withdrawn' as const,
        isUnsent: true,
      })),
    )
    const rest = all.filter((_, at) => !moved[at]).map(([id]) => id)
    const found = await this.#deps.intents.find(rest)
    // What has ended needs no cancel; what is on its way is cancelled once it is there.
    const going = found.filter(
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
    // One that was refused before, as without the permission, is made again under another name.
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
      ...{ account, wallet, market },
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

/** What could not be withdrawn: a transaction carries it, or has carried it. */
const ON_ITS_WAY: readonly IntentState[] = ['queued', 'sent', 'included']

const isOver = ({ state }: Intent) => state === 'refused' || state === 'expired'
