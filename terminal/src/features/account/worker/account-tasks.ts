// Steps to an account that can trade: test money, a deposit, keys.
import type { Rest } from 'openvenue'
import { depositTasks } from '../../money/worker/sending.ts'
import type { AccountTabs } from '../../session/worker/account-tabs.ts'
import { allowCancelOnce, type EnablingParts, registerOnce } from '../../session/worker/enabling.ts'
import type { AccountFile, SavedAccount, SavedKeys } from '../../session/worker/saved-account.ts'
import type { SessionHolder } from '../../session/worker/session.ts'
import type { Task } from '../../session/worker/steps.ts'
import type { TxLog } from '../../session/worker/tx-log.ts'
import type { Connection, VenueConnection } from '../../session/worker/venue-connection.ts'
import type { WalletView } from '../../wallet/wallet-protocol.ts'
import type { Request } from '../../wallet/worker/chain-rpc.ts'
import { giveTestMoney } from '../../wallet/worker/test-wallet.ts'
import type { Wallet } from '../../wallet/worker/wallet.ts'
import type { WalletRelay } from '../../wallet/worker/wallet-relay.ts'
import type { MoneyForm } from '../account-protocol.ts'
import * as text from '../text.ts'
import { revokeKey } from './revoking.ts'

/** Deposit of a test wallet; the rest of its test money stays in the wallet. */
const TEST_DEPOSIT: MoneyForm = { engine: 'perps', symbol: 'USDC', amount: '50000' }

type TaskParts = Pick<ActionParts, 'rest' | 'txs' | 'saved' | 'save' | 'begin'> &
  Readonly<{ isTrading: () => boolean }>

export type ControlParts = Readonly<{
  apiUrl: string
  connection: VenueConnection
  file: AccountFile
  tabs: AccountTabs
  relay: WalletRelay
  sessions: SessionHolder
  show: (view: WalletView) => void
}>

/** The wallet and the connection that the steps use. */
export type Tools = Connection & Readonly<{ wallet: Wallet }>

/** Operations on the account that the control offers to actions. */
export type ActionParts = Pick<ControlParts, 'connection' | 'relay' | 'sessions'> &
  Readonly<{
    /** A client without a key. */
    rest: Rest
    txs: TxLog
    /** The stored account; undefined if there is none, or if it was signed out meanwhile. */
    saved: () => SavedAccount | undefined
    save: (change: Partial<SavedAccount>) => Promise<void>
    /** Selects the account and the wallet to use from now on. */
    use: (saved: SavedAccount, wallet: Wallet | undefined) => void
    begin: (keys: SavedKeys) => Promise<void>
    /** Runs one task at a time, and in one tab at a time. */
    work: (work: () => Promise<void>) => Promise<void>
    steps: (tasks: readonly Task[]) => Promise<void>
    tools: () => Promise<Tools>
    /** Returns a reader of the chain that never prompts the user. */
    reader: (connection: Connection) => Promise<Request>
  }>

export class AccountTasks {
  readonly #parts: TaskParts

  constructor(parts: TaskParts) {
    this.#parts = parts
  }

  /** Returns the steps that fund a test wallet once and register keys. */
  async test(tools: Tools): Promise<Task[]> {
    const { saved, save } = this.#parts
    const enable = this.enable(tools)
    if (saved()?.isFunded === true) return enable
    const { venue, wallet } = tools
    const money = () => giveTestMoney(venue, wallet.request, wallet.address)
    const isBegun = saved()?.begunDeposit !== undefined
    return [
      ...(isBegun ? [] : [[text.getTestMoney, money] as const]),
      ...(await this.deposit(tools, TEST_DEPOSIT)),
      [text.accountFunded, () => save({ isFunded: true })],
      ...enable,
    ]
  }

  deposit({ venue, wallet }: Tools, form: MoneyForm): Promise<Task[]> {
    const { saved, save, txs } = this.#parts
    return depositTasks({
      ...{ venue, wallet, form, txs },
      begun: () => saved()?.begunDeposit,
      save: (begunDeposit) => save({ begunDeposit }),
    })
  }

  /** Returns the steps that register a key and allow the venue to cancel. */
  enable({ venue, wallet }: Tools): Task[] {
    const { rest, saved, save, isTrading, begin } = this.#parts
    if (isTrading()) return [[text.tradingEnabled, async () => {}]]
    const parts: EnablingParts = {
      ...{ rest, venue, signer: wallet.signer },
      begun: () => saved()?.begunKeys,
      save: async (begunKeys) => {
        if (saved() === undefined && begunKeys.apiKey) await revokeKey(rest, begunKeys.apiKey)
        await save({ begunKeys })
      },
    }
    let keys: SavedKeys | undefined
    const registerKey = async () => {
      keys = await registerOnce(parts)
    }
    const allow = () => allowCancelOnce(rest.withKey(keys?.apiKey), parts)
    const trade = async () => {
      await save({ keys, begunKeys: undefined })
      if (keys !== undefined) await begin(keys)
    }
    return [
      [text.registerKey, registerKey],
      [text.allowVenue, allow],
      [text.tradingEnabled, trade],
    ]
  }
}
