// Creates the store and chain dependencies of account endpoints and sockets.
import type { OutageLog } from '@openvenue/runtime/outage'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Equity } from '@openvenue/store/history/equity'
import type { Notifications } from '@openvenue/store/history/notifications'
import type { Identity } from '@openvenue/store/identity/identity'
import type { KeyRelays } from '@openvenue/store/identity/key-relays'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Ledger } from '@openvenue/store/intents/ledger'
import type { Safeguards } from '@openvenue/store/intents/safeguards'
import type { Store } from '@openvenue/store/store'
import { createEthCall, type EthCall } from '../identity/eth-call.ts'
import { createOrderChain, type OrderChain } from '../orders/order-parts.ts'
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

/** Returns the dependencies of account endpoints, on `store` and the nodes at `rpcUrls`. */
export const createAccountDeps = (
  { history, identity, intents, keyRelays, notifications, equity, ledger, safeguards }: Store,
  {
    rpcUrls,
    settings,
    log,
  }: Readonly<{
    rpcUrls: readonly string[]
    settings: AccountSettings
    log?: Pick<OutageLog, 'warn'>
  }>,
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
  orderChain: createOrderChain(rpcUrls, log),
  settings,
})
