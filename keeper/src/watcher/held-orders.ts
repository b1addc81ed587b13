// Tracks held orders: which of them a mark fires, which have expired, and which wait for another
// order with the same salt.
import { marketEngine } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents/intents'
import { LazyHeap } from './lazy-heap.ts'
import { TriggerBook } from './trigger-book.ts'

/** Minimum remaining lifetime, seconds, of an order that the contract accepts. */
const RESTING_SECONDS_MIN = 5n
/** Pause after the chain sent an order back, seconds; it doubles up to the maximum. */
const FLAP_SECONDS = 1
const FLAP_SECONDS_MAX = 32

const UNBOUNDED = 2n ** 256n
/** Values of the contract. */
const [GTC, POST_ONLY] = [0, 3]
const NEVER = { goodTil: '0', timeInForce: GTC }

export class HeldOrders {
  readonly triggers = new TriggerBook()
  /** Released orders without a trigger, which are sent at once. */
  readonly #ready = new Set<string>()
  readonly #held = new Map<string, Intent>()
  readonly #ends = new LazyHeap()
  /** Orders that the chain sent back, by the second from which they are watched again. */
  readonly #resting = new LazyHeap()
  readonly #flaps = new Map<string, number>()
  /** Live orders by account and salt. */
  readonly #salts = new Map<string, Set<string>>()
  readonly #saltOf = new Map<string, string>()
  /** Pending orders that share a salt with a held one. */
  readonly #moving = new Set<string>()

  get size(): number {
    return this.#held.size
  }

  /** Clears all state. */
  clear(): void {
    for (const id of [...this.#saltOf.keys()]) this.drop(id)
    this.#flaps.clear()
  }

  /** Adds a held order; it is watched once it is released. */
  hold(intent: Intent): void {
    const end = endOf(intent)
    this.#held.set(intent.id, intent)
    if (this.#moving.delete(intent.id)) this.#flapped(intent.id)
    this.#share(intent)
    if (end < UNBOUNDED) this.#ends.set(intent.id, end)
  }

  /** Marks an order as pending; it is no longer held. */
  send(intent: Intent): void {
    this.#unhold(intent.id)
    this.#share(intent)
    this.#moving.add(intent.id)
  }

  /** Watches for the trigger of a held order; an order that was sent back, after a pause. */
  release(id: string, seconds: number): void {
    const intent = this.#held.get(id)
    const fromSeconds = this.#flaps.get(id)
    if (intent?.payload.kind !== 'order') return
    if (fromSeconds !== undefined) this.#resting.set(id, BigInt(seconds + fromSeconds))
    else this.#watch(intent)
  }

  /** The chain refused it although its mark was met: each further pause is longer. */
  #flapped(id: string): void {
    const before = this.#flaps.get(id)
    this.#flaps.set(
      id,
      Math.min(FLAP_SECONDS_MAX, before === undefined ? FLAP_SECONDS : before * 2),
    )
  }

  /** Removes an order that has ended or is on the chain. */
  drop(id: string): void {
    this.#unhold(id)
    this.#flaps.delete(id)
    this.#moving.delete(id)
    const salt = this.#saltOf.get(id)
    if (salt === undefined) return
    this.#saltOf.delete(id)
    const sharing = this.#salts.get(salt)
    sharing?.delete(id)
    if (sharing?.size === 0) this.#salts.delete(salt)
  }

  /** Returns the orders that an order excludes. */
  sharing(id: string): readonly string[] {
    const sharing = this.#salts.get(this.#saltOf.get(id) ?? '')
    return [...(sharing ?? [])].filter((other) => other !== id)
  }

  /** Returns the orders that a mark fires, and stops watching them. */
  fire(market: string, mark: bigint): readonly Intent[] {
    return this.triggers.take(market, mark).flatMap((id) => this.#held.get(id) ?? [])
  }

  /** Returns the orders that wait for nothing. */
  takeReady(): readonly Intent[] {
    const ready = [...this.#ready].flatMap((id) => this.#held.get(id) ?? [])
    this.#ready.clear()
    return ready
  }

  /** Returns whether another order of the same salt is pending: only one of them can be placed. */
  isExcluded(id: string): boolean {
    return this.sharing(id).some((other) => this.#moving.has(other))
  }

  /** Returns the expired orders; resumes watching orders whose pause is over. */
  pass(seconds: number): readonly Intent[] {
    for (const id of this.#resting.takeUpTo(BigInt(seconds))) {
      const intent = this.#held.get(id)
      if (intent !== undefined) this.#watch(intent)
    }
    return this.#ends.takeUpTo(BigInt(seconds)).flatMap((id) => this.#held.get(id) ?? [])
  }

  #watch(intent: Intent): void {
    const { payload, id, market } = intent
    if (payload.kind !== 'order') return
    const { triggerKind: kind, triggerPrice } = payload.order
    if (kind === 0) this.#ready.add(id)
    else this.triggers.add({ id, market, kind, price: BigInt(triggerPrice) })
  }

  #unhold(id: string): void {
    this.#held.delete(id)
    this.#ready.delete(id)
    this.#ends.delete(id)
    this.#resting.delete(id)
    this.triggers.delete(id)
  }

  #share({ id, account, market, payload }: Intent): void {
    if (payload.kind !== 'order' || this.#saltOf.has(id)) return
    const salt = `${account} ${marketEngine(market)} ${payload.order.salt}`
    const sharing = this.#salts.get(salt) ?? new Set()
    this.#salts.set(salt, sharing)
    sharing.add(id)
    this.#saltOf.set(id, salt)
  }
}

/** Returns the second from which on the contract no longer accepts the order. */
function endOf({ payload, deadlineSeconds }: Intent): bigint {
  const { goodTil, timeInForce } = payload.kind === 'order' ? payload.order : NEVER
  const mayRest = timeInForce === GTC || timeInForce === POST_ONLY
  const last = goodTil === '0' ? UNBOUNDED : BigInt(goodTil) - (mayRest ? RESTING_SECONDS_MIN : 0n)
  return (last < deadlineSeconds ? last : deadlineSeconds) + 1n
}
