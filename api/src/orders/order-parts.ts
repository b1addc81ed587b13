// Names what commands on orders stand on, so that REST and sockets share one of each.
import type { Intents } from '@openvenue/store/intents'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Owner } from '../account/owner.ts'
import type { Wallets } from '../account/wallets.ts'
import type { Refusal } from '../http/refusals.ts'
import type { Clock } from '../model/clock.ts'
import type { FindParts } from './find-order.ts'
import type { ParsedOrder } from './order-body.ts'
import type { Receipts } from './receipt.ts'
import type { SafeguardBook } from './safeguard-book.ts'
import type { DomainSettings } from './signed-order.ts'
import type { Signers } from './signers.ts'

/**
 * Says of each order of a list why the chain would refuse it now; undefined: it would not. Asks
 * memory first and the chain once.
 */
export type Admit = (
  owner: Owner,
  orders: readonly ParsedOrder[],
) => Promise<readonly (Refusal | undefined)[]>

export type OrderParts = FindParts &
  Readonly<{
    wallets: Wallets
    owned: OwnedReads
    intents: Pick<Intents, 'add' | 'move'>
    admit: Admit
    safeguardBook: SafeguardBook
    /** Undefined: this node accepts no orders. */
    receipts: Receipts | undefined
    settings: DomainSettings
    signers: Signers
    clock: Clock
  }>
