// Indexes the resting orders by digest, since the chain cancels them by number.
import type { Change } from '@openvenue/core/changes'
import { orderKey } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Intent } from '@openvenue/store/intents/intents'
import type { VenueView } from '../venue-view.ts'

/** Length of the market's part of an order's chain id; 16 hex digits of its number follow. */
const MARKET_CHARS = 50
const CHAIN_ID = /^0x[0-9a-f]{64}$/

export class RestingOrders {
  readonly #view: VenueView
  readonly #byRef = new Map<string, string>()
  #state: VenueState | undefined

  constructor(view: VenueView) {
    this.#view = view
  }

  /** Applies the changes of a block. */
  see(changes: readonly Change[]): void {
    if (this.#state !== this.#view.state) this.#loadAnew()
    for (const { what, key, before, after } of changes) {
      if (what !== 'order') continue
      if (before?.ref != null) this.#byRef.delete(before.ref)
      if (after?.ref != null && after.restingLots > 0n) this.#byRef.set(after.ref, key)
    }
  }

  /** Returns the resting order of a digest or chain id. */
  find(id: string): Order | undefined {
    if (this.#state !== this.#view.state) this.#loadAnew()
    const order = this.#view.state.records.order.get(this.#byRef.get(id) ?? keyOfChainId(id))
    return order !== undefined && order.restingLots > 0n ? order : undefined
  }

  /** Returns the resting order that a cancel targets, if it belongs to its account and market. */
  findOwn({ payload, account, market }: Intent): Order | undefined {
    const order = payload.kind === 'cancel' ? this.find(payload.target) : undefined
    return order?.account === account && order.market === market ? order : undefined
  }

  #loadAnew(): void {
    this.#state = this.#view.state
    this.#byRef.clear()
    for (const [key, { ref, restingLots }] of this.#state.records.order)
      if (ref !== null && restingLots > 0n) this.#byRef.set(ref, key)
  }
}

const keyOfChainId = (id: string): string =>
  CHAIN_ID.test(id)
    ? orderKey(id.slice(0, MARKET_CHARS), Number(`0x${id.slice(MARKET_CHARS)}`))
    : id
