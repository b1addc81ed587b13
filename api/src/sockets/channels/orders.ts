// orders: the live orders of an account first, then each change of an order, before and on the
// chain.
import type { Header } from '@openvenue/core/events'
import { orderId } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents/intents'
import { blockTime } from '@openvenue/wire/channels'
import { encodeOrderItem } from '../../account/account-orders.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import { heldOrderItem } from '../../orders/relay/find-order.ts'
import type { IntentBook, IntentStep } from '../../orders/relay/intent-book.ts'
import type { AffectedAccount } from '../streams/affected.ts'
import { type Frame, framesAt, type PrivateChannel } from '../streams/channel.ts'
import type { Past } from '../streams/past-entries.ts'

type OrdersDeps = Readonly<{
  model: VenueModel
  /** Absent: orders are unknown until they are on the chain. */
  intentBook?: IntentBook | undefined
}>

/** A wallet with a subscription, and the steps of its orders that were not sent yet. */
type OrderSubscriber = Readonly<{ wallet: string; resync: () => void; steps: Intent[] }>

/** Unsent steps of a wallet; beyond it a snapshot replaces them. */
const STEPS_MAX = 1000

/** Opens the channel of each wallet, and forwards the steps of its intents. */
export class OrderChannels {
  readonly #deps: OrdersDeps
  readonly #byWallet = new Map<string, Set<OrderSubscriber>>()

  constructor(deps: OrdersDeps) {
    this.#deps = deps
    deps.intentBook?.onStep((step) => this.#onStep(step))
    deps.intentBook?.onLoad(() => {
      for (const all of this.#byWallet.values()) for (const { resync } of all) resync()
    })
  }

  open(wallet: string, resync: () => void): PrivateChannel {
    const listening: OrderSubscriber = { wallet, resync, steps: [] }
    const listeners = this.#byWallet.get(wallet)
    if (listeners === undefined) this.#byWallet.set(wallet, new Set([listening]))
    else listeners.add(listening)
    const deps = this.#deps
    return {
      subject: 'account',
      snapshot: ({ account }) => snapshotText(deps, wallet, account),
      // Steps from before the block are sent first.
      onEntry: ({ accounts }, { account }) => {
        const own = account === undefined ? undefined : accounts.get(account)
        if (account === undefined || own === undefined) return []
        const entry = { wallet, account, own, head: deps.model.head }
        return [...stepFrames(deps, listening), ...entryFrames(deps, entry)]
      },
      missed: (past, { account }) =>
        account === undefined ? [] : missedFrames(deps, past, { wallet, account }),
      onTick: (_nowMs, isReading) => (isReading ? [] : stepFrames(deps, listening)),
      onClose: () => this.#close(listening),
    }
  }

  #close(listening: OrderSubscriber): void {
    const listeners = this.#byWallet.get(listening.wallet)
    listeners?.delete(listening)
    if (listeners?.size === 0) this.#byWallet.delete(listening.wallet)
  }

  #onStep({ intent, from }: IntentStep): void {
    if (intent.payload.kind !== 'order' || intent.state === 'included') return
    // Queued and sent orders are both pending.
    if (intent.state === 'sent' && from === 'queued') return
    for (const { steps, resync } of this.#byWallet.get(intent.wallet) ?? []) {
      steps.push(intent)
      if (steps.length <= STEPS_MAX) continue
      steps.length = 0
      resync()
    }
  }
}

function snapshotText(
  { model, intentBook }: OrdersDeps,
  wallet: string,
  account: number | undefined,
): string {
  const resting = account === undefined ? [] : model.accountOrders.of(account)
  const heldOrders = account === undefined ? [] : (intentBook?.liveOrders(account) ?? [])
  const orders = [
    ...heldOrders.filter(({ id }) => model.accountOrders.signed(id) === undefined).toReversed(),
  ].flatMap((intent) => heldOrderItem(model, intent) ?? [])
  for (const order of resting.toReversed()) orders.push(encodeOrderItem(model, wallet, order))
  return JSON.stringify({ timestamp: blockTime(model.head), orders })
}

/** Steps before the chain, unless the order is on the chain by now: its chain state is newer. */
function stepFrames(
  { model }: OrdersDeps,
  { steps }: Pick<OrderSubscriber, 'steps'>,
): readonly Frame[] {
  const taken = steps.splice(0)
  const isAhead = ({ id }: Intent) => model.accountOrders.signed(id) === undefined
  return taken.filter(isAhead).flatMap((intent) => {
    const item = heldOrderItem(model, intent)
    return item === undefined ? [] : updates(model.head, { orders: [item], removed: [] })
  })
}

type OwnEntry = Readonly<{
  wallet: string
  account: number
  own: AffectedAccount
  head: Header | undefined
}>

function entryFrames(deps: OrdersDeps, { wallet, account, own, head }: OwnEntry): readonly Frame[] {
  const changed = changedOrders(own)
  const orders = [...changed.orders, ...repricedOrders(deps.model, account, own)]
  return updates(head, {
    orders: orders.map((order) => encodeOrderItem(deps.model, wallet, order)),
    removed: changed.removed,
  })
}

const NS_PER_SECOND = 1_000_000_000n

/**
 * Returns the order changes of past entries, then the current state of orders that were not in a
 * block: their steps have no entry, so the client may receive a state that it already has.
 */
function missedFrames(
  deps: OrdersDeps,
  { since, entries }: Past,
  { wallet, account }: Pick<OwnEntry, 'wallet' | 'account'>,
): readonly Frame[] {
  const { intentBook } = deps
  const placed = entries.flatMap((entry) => {
    const own = entry.affected.accounts.get(account)
    if (own === undefined) return []
    return framesAt(entry, entryFrames(deps, { wallet, account, own, head: entry.header }))
  })
  const ended = intentBook?.endedOrders(account, BigInt(since.seconds) * NS_PER_SECOND) ?? []
  const steps = [...ended, ...(intentBook?.liveOrders(account) ?? [])]
  return [...placed, ...stepFrames(deps, { steps })]
}

/** Returns changed orders in their current state, and ids of those that an undo removed. */
function changedOrders(affected: AffectedAccount) {
  const removed = affected.orders.flatMap(({ before, after }) =>
    after === undefined && before !== undefined ? orderId(before) : [],
  )
  return { orders: affected.orders.flatMap(({ after }) => after ?? []), removed }
}

/** An order shows the margin at the account's leverage, so it changes with the leverage. */
function repricedOrders(
  model: VenueModel,
  account: number,
  { orders, leverages }: AffectedAccount,
) {
  if (leverages.size === 0) return []
  const changed = new Set(orders.map(({ key }) => key))
  return model.accountOrders
    .of(account)
    .filter(({ market, number }) => leverages.has(market) && !changed.has(`${market}|${number}`))
}

function updates(
  head: Header | undefined,
  { orders, removed }: Readonly<{ orders: readonly object[]; removed: readonly string[] }>,
): readonly Frame[] {
  if (orders.length === 0 && removed.length === 0) return []
  const members = { orders, ...(removed.length === 0 ? {} : { removed }) }
  return [{ type: 'update', data: JSON.stringify({ timestamp: blockTime(head), ...members }) }]
}
