// Gathers what account endpoints and sockets need of the store and the chain.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { Equity } from '@openvenue/store/equity'
import type { Identity } from '@openvenue/store/identity'
import type { Intents } from '@openvenue/store/intents'
import type { KeyRelays } from '@openvenue/store/key-relays'
import type { Ledger } from '@openvenue/store/ledger'
import type { Notifications } from '@openvenue/store/notifications'
import type { Safeguards } from '@openvenue/store/safeguards'
import type { Store } from '@openvenue/store/store'
import { createEthCall, type EthCall } from '../identity/eth-call.ts'
import { createOrderChain, type OrderChain } from '../orders/order-chain.ts'
import type { AccountSettings } from './account-settings.ts'

export type AccountDeps = Readonly<{
  history: AccountHistory
  identity: Identity
  intents: Intents
  keyRelays: Pick<KeyRelays, 'of' | 'ofWallet' | 'newestAllowance' | 'enqueueAllowance'>
  notifications: Notifications
  equity: Equity
  ledger: Ledger
  safeguards: Safeguards
  call: EthCall
  orderChain: OrderChain
  settings: AccountSettings
}>

/** Returns what account endpoints need, on `store` and the nodes at `rpcUrls`. */
export const createAccountDeps = (
  { history, identity, intents, keyRelays, notifications, equity, ledger, safeguards }: Store,
  { rpcUrls, settings }: Readonly<{ rpcUrls: readonly string[]; settings: AccountSettings }>,
): AccountDeps => ({
  history,
  identity,
  intents,
  keyRelays,
  notifications,
  equity,
  ledger,
  safeguards,
  call: createEthCall(rpcUrls),
  orderChain: createOrderChain(rpcUrls),
  settings,
})
