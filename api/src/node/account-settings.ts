// The operator's settings of accounts, keys and sockets, with their defaults.

import { NETWORKS } from '@openvenue/core/networks'
import type { Trading } from '@openvenue/wire/trading'
import type { EdgeSettings } from '../http/edge.ts'
import type { IdentitySettings } from '../identity/settings.ts'
import type { OrderBudgetSettings } from '../orders/relay/order-budgets.ts'
import { SOCKET_SETTINGS, type SocketSettings } from '../sockets/session/socket-settings.ts'

export type AccountSettings = IdentitySettings &
  Readonly<{
    accountCacheMs: number
    /** State of trading: new orders may be refused, and everything else goes on. */
    trading: Trading
    /** Private key that signs receipts of orders; without it none are accepted. Never logged. */
    receiptKey: `0x${string}` | undefined
    /** Addresses of former and next receipt keys, which are published beside the current one. */
    receiptAddresses: readonly string[]
    /** Orders of an account that the venue pays for; undefined: all of them. */
    orderBudget: OrderBudgetSettings | undefined
    balancePointsMax: number
    snapshotIntervalSeconds: number
    sockets: SocketSettings
    /** Undefined: the node accepts orders and writes. */
    edge: EdgeSettings | undefined
  }>

export const ACCOUNT_SETTINGS: AccountSettings = {
  chainId: NETWORKS.devnet.chainId,
  domainName: NETWORKS.devnet.domainName,
  accountsContract: undefined,
  cancellerAddress: undefined,
  accountCacheMs: 2000,
  trading: 'live',
  receiptKey: undefined,
  receiptAddresses: [],
  orderBudget: { initial: 10_000, perUsdc: 1_000_000n },
  keyTtlMaxSeconds: 30 * 24 * 3600,
  keysPerAccountMax: 5,
  isInviteOnly: false,
  secretSeal: undefined,
  headerBrands: ['AEVO'],
  balancePointsMax: 2000,
  snapshotIntervalSeconds: 60,
  sockets: SOCKET_SETTINGS,
  edge: undefined,
}
