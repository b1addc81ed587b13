// Services that the commands on orders share, so that REST and sockets use one of each.
import { logSwitch } from '@openvenue/runtime/failover'
import type { OutageLog } from '@openvenue/runtime/outage'
import type { Tracer } from '@openvenue/runtime/tracing'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Safeguards } from '@openvenue/store/intents/safeguards'
import type { Trading } from '@openvenue/wire/trading'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Wallets } from '../account/wallets.ts'
import type { OrderMeter } from '../http/order-meter.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { createEthCall } from '../identity/eth-call.ts'
import type { IdentitySettings } from '../identity/settings.ts'
import type { Clock } from '../model/clock.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { createOrderSimulation, type SimulateOrders } from './place/order-simulation.ts'
import { createBlockSimulation, type SimulateBlock } from './preview/block-simulation.ts'
import type { IncludedWaits } from './relay/included-waits.ts'
import type { IntentBook } from './relay/intent-book.ts'
import type { OrderBudgetSettings, OrderBudgets } from './relay/order-budgets.ts'
import type { Receipts } from './relay/receipt.ts'
import type { Relay } from './relay/relay-status.ts'
import type { SafeguardBook } from './relay/safeguards.ts'
import { createSaltReads, type FindSpentSalts } from './relay/salts.ts'
import type { Signers } from './rules/signing-keys.ts'

/** Requests to the nodes of the chain. */
export type OrderChain = Readonly<{
  /** Asks whether the chain would take signed orders. */
  simulate: SimulateOrders
  /** Runs calls in a block after the newest one. */
  simulateBlock: SimulateBlock
  /** Reads the spent salts of an account. */
  findSpentSalts: FindSpentSalts
}>

export type OrderParts = OrderChain &
  Readonly<{
    model: VenueModel
    clock: Clock
    wallets: Wallets
    owned: OwnedReads
    fresh: FreshReads
    history: Pick<AccountHistory, 'order' | 'ownerOf'>
    intents: Pick<Intents, 'add' | 'move' | 'find' | 'findByClientOrderId' | 'promisesOf'>
    intentBook: IntentBook
    safeguards: Safeguards
    safeguardBook: SafeguardBook
    budgets: OrderBudgets
    orderMeter: OrderMeter
    tracer: Tracer
    waits: IncludedWaits
    signers: Signers
    relay: Pick<Relay, 'readStatus'>
    /** Undefined: this node accepts no orders. */
    receipts: Receipts | undefined
    settings: Pick<
      IdentitySettings,
      'chainId' | 'domainName' | 'accountsContract' | 'cancellerAddress'
    > &
      Readonly<{ trading: Trading; orderBudget: OrderBudgetSettings | undefined }>
  }>

/** Returns the requests to the nodes at `rpcUrls`. */
export const createOrderChain = (
  rpcUrls: readonly string[],
  log?: Pick<OutageLog, 'warn'>,
): OrderChain => ({
  simulate: createOrderSimulation(rpcUrls, { onSwitch: logSwitch(log) }),
  simulateBlock: createBlockSimulation(rpcUrls),
  findSpentSalts: createSaltReads(createEthCall(rpcUrls)),
})

type Commands = OrderParts['intents']

/** Returns `intents`, each call of which refuses with 503 where the database fails. */
export function answeringIntents(intents: Commands): Commands {
  return {
    add: (added) => intents.add(added).catch(unavailable),
    move: (moves) => intents.move(moves).catch(unavailable),
    find: (ids) => intents.find(ids).catch(unavailable),
    promisesOf: (ids) => intents.promisesOf(ids).catch(unavailable),
    findByClientOrderId: (...name) => intents.findByClientOrderId(...name).catch(unavailable),
  }
}

// The write may have been committed before the failure; the same body then returns its intent.
const unavailable = (cause: unknown): never => {
  throw historyUnavailable(cause)
}
