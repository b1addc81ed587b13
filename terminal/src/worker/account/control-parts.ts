// What the control of an account stands on, and what is done for the account stands on.
import type { Rest } from 'openvenue'
import type { Request } from '../wallet/chain-rpc.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { WalletView } from '../wallet/wallet-protocol.ts'
import type { WalletRelay } from '../wallet/wallet-relay.ts'
import type { AccountTabs } from './account-tabs.ts'
import type { AccountFile, SavedAccount, SavedKeys } from './saved-account.ts'
import type { SessionHolder } from './session.ts'
import type { Task } from './steps.ts'
import type { TxLog } from './tx-log.ts'
import type { Connection, VenueConnection } from './venue-connection.ts'

export type ControlParts = Readonly<{
  apiUrl: string
  connection: VenueConnection
  file: AccountFile
  tabs: AccountTabs
  relay: WalletRelay
  sessions: SessionHolder
  show: (view: WalletView) => void
}>

/** With what a step works. */
export type Tools = Connection & Readonly<{ wallet: Wallet }>

/** What the control lets be done for its account. */
export type ActionParts = Pick<ControlParts, 'connection' | 'relay' | 'sessions'> &
  Readonly<{
    /** Without a key. */
    rest: Rest
    txs: TxLog
    /** What is kept of the account; undefined: there is none, or it was signed out meanwhile. */
    saved: () => SavedAccount | undefined
    save: (change: Partial<SavedAccount>) => Promise<void>
    /** From now on the account is that one, of that wallet. */
    use: (saved: SavedAccount, wallet: Wallet | undefined) => void
    /** Begins the session of keys. */
    begin: (keys: SavedKeys) => Promise<void>
    /** Does one thing at a time, in one tab at a time. */
    work: (work: () => Promise<void>) => Promise<void>
    steps: (tasks: readonly Task[]) => Promise<void>
    tools: () => Promise<Tools>
    /** Reads the chain, without a question to anybody. */
    reader: (connection: Connection) => Promise<Request>
  }>
