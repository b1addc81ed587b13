// What an operator decides about accounts, keys and sockets. Architecture: one variable each.
import type { Rate } from '../http/limits.ts'

export type AccountSettings = Readonly<{
  chainId: number
  /** Name in the typed-data domain of Register and SignKey. */
  domainName: string
  /** The contract of accounts; undefined: keys are not registered on the chain. */
  accountsContract: string | undefined
  accountCacheMs: number
  /** Longest life of an API key, seconds. */
  keyTtlMaxSeconds: number
  keysPerAccountMax: number
  isInviteOnly: boolean
  /** Brands of the legacy headers `<BRAND>-KEY` and `<BRAND>-SECRET`, upper case. */
  headerBrands: readonly string[]
  balancePointsMax: number
  snapshotIntervalSeconds: number
  sockets: SocketSettings
}>

export type SocketSettings = Readonly<{
  /** Attempts to authenticate, per connection and per client address. */
  authPerConnection: Rate
  authPerAddress: Rate
  /** Memory for what waits for a client that does not read, bytes. */
  bufferBytesMax: number
  /** The same of all clients together. */
  memoryBytesMax: number
  connectionsMax: number
  /** Messages and whatever else clients send, before they are closed; undefined: no limit. */
  messagesPerConnection: Rate | undefined
  messagesPerAddress: Rate | undefined
  connectionsPerAddressMax: number
  subscriptionsMax: number
  /** Operations of a connection, pings not counted. */
  operations: Rate
  /** A plain WebSocket that says nothing for so long is closed. */
  idleSeconds: number
}>

export const ACCOUNT_SETTINGS: AccountSettings = {
  chainId: 5042002,
  domainName: 'openvenue',
  accountsContract: undefined,
  accountCacheMs: 2000,
  keyTtlMaxSeconds: 30 * 24 * 3600,
  keysPerAccountMax: 5,
  isInviteOnly: false,
  headerBrands: ['AEVO'],
  balancePointsMax: 2000,
  snapshotIntervalSeconds: 60,
  sockets: {
    authPerConnection: { points: 5, seconds: 60 },
    authPerAddress: { points: 30, seconds: 60 },
    bufferBytesMax: 4 * 1024 * 1024,
    memoryBytesMax: 256 * 1024 * 1024,
    connectionsMax: 10_000,
    messagesPerConnection: { points: 100, seconds: 1, burst: 400 },
    messagesPerAddress: { points: 1_000, seconds: 1, burst: 4_000 },
    connectionsPerAddressMax: 100,
    subscriptionsMax: 1000,
    operations: { points: 20, seconds: 1 },
    idleSeconds: 900,
  },
}
