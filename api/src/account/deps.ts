// What account endpoints and sockets stand on, besides the model.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { Equity } from '@openvenue/store/equity'
import type { Identity } from '@openvenue/store/identity'
import type { KeyRelays } from '@openvenue/store/key-relays'
import type { Notifications } from '@openvenue/store/notifications'
import type { Store } from '@openvenue/store/store'
import { ethCallOf } from '../identity/eth-call.ts'
import type { AccountSettings } from './settings.ts'

/**
 * Runs `eth_call` of `data` on `to` (absent: code that is not deployed) at the block of that hash,
 * `latest` by default (with at most `gas`, hex; absent: what the node gives), and returns the bytes
 * as hex. Throws `CallReverted` when the contract ends the call, another error when the node does
 * not answer.
 */
export type EthCall = (
  call: Readonly<{ to?: string; data: string; gas?: string }>,
  blockHash?: string,
) => Promise<string>

export type AccountDeps = Readonly<{
  history: AccountHistory
  identity: Identity
  keyRelays: Pick<KeyRelays, 'ofWallet'>
  notifications: Notifications
  equity: Equity
  call: EthCall
  settings: AccountSettings
}>

/** Returns what account endpoints need, on `store` and the nodes at `rpcUrls`. */
export const accountDepsOf = (
  { history, identity, keyRelays, notifications, equity }: Store,
  { rpcUrls, settings }: Readonly<{ rpcUrls: readonly string[]; settings: AccountSettings }>,
): AccountDeps => ({
  ...{ history, identity, keyRelays, notifications, equity },
  call: ethCallOf(rpcUrls),
  settings,
})
