// The steps to an account that trades: money for a test wallet, a deposit, keys.
import type { Rest } from 'openvenue'
import type { MoneyForm } from './account-protocol.ts'
import type { Tools } from './control-parts.ts'
import { allowCancelOnce, type EnablingParts, registerOnce } from './enabling.ts'
import { giveTestMoney } from './play-money.ts'
import { revokeKey } from './revoking.ts'
import type { SavedAccount, SavedKeys } from './saved-account.ts'
import { depositTasks } from './sending.ts'
import type { Task } from './steps.ts'
import type { TxLog } from './tx-log.ts'

/** Of the test money; the rest stays in the wallet, to deposit where it is wanted. */
const TEST_DEPOSIT: MoneyForm = { engine: 'perps', symbol: 'USDC', amount: '50000' }
const ENABLED = 'Trading is enabled'

export type TaskParts = Readonly<{
  /** Without a key. */
  rest: Rest
  txs: TxLog
  /** What is kept of the account; undefined: it was signed out meanwhile. */
  saved: () => SavedAccount | undefined
  save: (change: Partial<SavedAccount>) => Promise<void>
  isTrading: () => boolean
  begin: (keys: SavedKeys) => Promise<void>
}>

export class AccountTasks {
  readonly #parts: TaskParts

  constructor(parts: TaskParts) {
    this.#parts = parts
  }

  /** Money for a test wallet, once, and keys. */
  async test(tools: Tools): Promise<Task[]> {
    const { saved, save } = this.#parts
    const enable = this.enable(tools)
    if (saved()?.isFunded === true) return enable
    const { venue, wallet } = tools
    const money = () => giveTestMoney(venue, wallet.request, wallet.address)
    const isBegun = saved()?.begunDeposit !== undefined
    return [
      ...(isBegun ? [] : [['Get test money', money] as const]),
      ...(await this.deposit(tools, TEST_DEPOSIT)),
      ['The account has money', () => save({ isFunded: true })],
      ...enable,
    ]
  }

  deposit({ venue, wallet }: Tools, asked: MoneyForm): Promise<Task[]> {
    const { saved, save, txs } = this.#parts
    return depositTasks({
      ...{ venue, wallet, asked, txs },
      begun: () => saved()?.begunDeposit,
      save: (begunDeposit) => save({ begunDeposit }),
    })
  }

  /** A key, and the permission to cancel. */
  enable({ venue, wallet }: Tools): Task[] {
    const { rest, saved, save, isTrading, begin } = this.#parts
    if (isTrading()) return [[ENABLED, async () => {}]]
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
      ['Register a signing key: it trades, and cannot withdraw', registerKey],
      ['Let the venue cancel orders, and nothing else', allow],
      [ENABLED, trade],
    ]
  }
}
