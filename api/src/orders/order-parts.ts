// Names what commands on orders stand on, so that REST and sockets share one of each.
import type { Intents } from '@openvenue/store/intents'
import type { Trading } from '@openvenue/wire/trading'
import type { Clock } from '../model/clock.ts'
import type { AdmitOrders } from './admission.ts'
import type { SafeguardParts } from './cancel-after.ts'
import type { FindParts } from './find-order.ts'
import type { IncludedWaits } from './included-waits.ts'
import type { OrderBudgetSettings, OrderBudgets } from './order-budgets.ts'
import type { Receipts } from './receipt.ts'
import type { SafeguardBook } from './safeguard-book.ts'
import type { Signers } from './signers.ts'

export type OrderParts = FindParts &
  SafeguardParts &
  Readonly<{
    intents: Pick<Intents, 'add' | 'move' | 'promisesOf'>
    admit: AdmitOrders
    safeguardBook: SafeguardBook
    budgets: OrderBudgets
    waits: IncludedWaits
    /** Undefined: this node accepts no orders. */
    receipts: Receipts | undefined
    signers: Signers
    settings: Readonly<{ trading: Trading; orderBudget: OrderBudgetSettings | undefined }>
    clock: Clock
  }>
