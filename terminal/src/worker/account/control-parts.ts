// What the control of an account stands on.
import type { Wallet } from '../wallet/wallet.ts'
import type { WalletView } from '../wallet/wallet-protocol.ts'
import type { WalletRelay } from '../wallet/wallet-relay.ts'
import type { AccountTabs } from './account-tabs.ts'
import type { AccountFile } from './saved-account.ts'
import type { SessionHolder } from './session.ts'
import type { Connection, VenueSource } from './venue-connection.ts'

export type ControlParts = VenueSource &
  Readonly<{
    apiUrl: string
    file: AccountFile
    tabs: AccountTabs
    relay: WalletRelay
    sessions: SessionHolder
    show: (view: WalletView) => void
  }>

/** With what a step works. */
export type Tools = Connection & Readonly<{ wallet: Wallet }>
