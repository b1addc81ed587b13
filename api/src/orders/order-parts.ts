// Names what commands on orders stand on, so that REST and sockets share one of each.
import type { Intents } from '@openvenue/store/intents'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Wallets } from '../account/wallets.ts'
import type { Clock } from '../model/clock.ts'
import type { AdmitOrders } from './admission.ts'
import type { FindParts } from './find-order.ts'
import type { Receipts } from './receipt.ts'
import type { SafeguardBook } from './safeguard-book.ts'
import type { DomainSettings } from './signed-order.ts'
import type { Signers } from './signers.ts'

export type OrderParts = FindParts &
  Readonly<{
    wallets: Wallets
    owned: OwnedReads
    intents: Pick<Intents, 'add' | 'move'>
    admit: AdmitOrders
    safeguardBook: SafeguardBook
    /** Undefined: this node accepts no orders. */
    receipts: Receipts | undefined
    settings: DomainSettings
    signers: Signers
    clock: Clock
  }>
