// Knows the resting orders by their digest, since the chain cancels them by their number.
import type { Change } from '@openvenue/core/changes'
import { orderKey } from '@openvenue/core/ids'
import type { Order } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Intent } from '@openvenue/store/intents'
import type { VenueView } from '../venue-view.ts'

/** An order's chain id is its market's and 16 digits of its number. */
const MARKET_CHARS = 50
const CHAIN_ID = /^0x[0-9a-f]{64}$/

export class RestingOrders {
  readonly #view: VenueView
  readonly #byRef = new Map<string, string>()
  #state: VenueState | undefined

  constructor(view: VenueView) {
    this.#view = view
  }

  /** Takes what a block changed. */
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

  /** Returns the resting order that a cancel is of: its account's, in its market. */
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
