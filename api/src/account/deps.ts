// What account endpoints and sockets stand on, besides the model.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { Identity } from '@openvenue/store/identity'
import type { Store } from '@openvenue/store/store'
import { ethCallOf } from './eth-call.ts'
import type { AccountSettings } from './settings.ts'

/**
 * Runs `eth_call` of `data` on `to` (absent: code that is not deployed) at a block, `latest` by
 * default, and returns the bytes as hex. Throws when the node does not answer or the call reverts.
 */
export type EthCall = (
  call: Readonly<{ to?: string; data: string }>,
  blockNumber?: number,
) => Promise<string>

export type AccountDeps = Readonly<{
  history: AccountHistory
  identity: Identity
  call: EthCall
  settings: AccountSettings
}>

/** Returns what account endpoints need, on `store` and the node at `rpcUrl`. */
export const accountDepsOf = (
  { history, identity }: Store,
  { rpcUrl, settings }: Readonly<{ rpcUrl: string; settings: AccountSettings }>,
): AccountDeps => ({ history, identity, call: ethCallOf(rpcUrl), settings })
