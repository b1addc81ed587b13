// Actions that need the wallet: connect, deposit, withdraw, enable trading. Most of them sign or
// encode calls, which needs large modules, so this file is loaded on first use.
import type { Hex } from 'openvenue/signing'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { planWithdraw } from '../../money/worker/money.ts'
import { checkMoney } from '../../money/worker/money-check.ts'
import { newAccount, type SavedAccount } from '../../session/worker/saved-account.ts'
import { requireNode } from '../../session/worker/venue-connection.ts'
import { connectWallet, switchChain } from '../../wallet/worker/injected-wallet.ts'
import { giveTestMoney, testWallet } from '../../wallet/worker/test-wallet.ts'
import { DEVNET, type Wallet } from '../../wallet/worker/wallet.ts'
import type { MoneyCheck, MoneyForm } from '../account-protocol.ts'
import * as text from '../text.ts'
import { AccountTasks, type ActionParts } from './account-tasks.ts'

export class AccountActions {
  readonly #parts: ActionParts
  readonly #tasks: AccountTasks

  constructor(parts: ActionParts) {
    this.#parts = parts
    const { sessions } = parts
    this.#tasks = new AccountTasks({ ...parts, isTrading: () => sessions.current !== undefined })
  }

  /** Returns the wallet of an account without prompting the user. */
  async open(saved: SavedAccount): Promise<Wallet> {
    const connection = await this.#parts.connection.open()
    const { network, node } = connection
    const { walletId: id, name } = saved
    return saved.kind === 'test'
      ? testWallet(saved.walletKey as Hex, network, requireNode(connection))
      : connectWallet({ relay: this.#parts.relay, network, id, name, node }, false)
  }

  /**
   * Sets up a test wallet with money and trading enabled; continues from the steps already done.
   */
  startTest(): Promise<void> {
    const { connection, saved, save, use, work, steps, tools } = this.#parts
    return work(async () => {
      const { network } = await connection.open()
      if (network.name !== DEVNET) throw new Error(text.devnetOnly)
      if (saved()?.kind !== 'test') {
        const walletKey = generatePrivateKey()
        const address = privateKeyToAddress(walletKey)
        use(newAccount({ kind: 'test', walletId: '', name: text.testWallet, address }), undefined)
        await save({ walletKey })
      }
      await steps(await this.#tasks.test(await tools()))
    })
  }

  connect({ id: walletId, name }: Readonly<{ id: string; name: string }>): Promise<void> {
    const { connection, relay, saved, save, use, work } = this.#parts
    return work(async () => {
      const { network, node } = await connection.open()
      const wallet = await connectWallet({ relay, network, id: walletId, name, node }, true)
      const { address } = wallet
      const before = saved()
      const isSame = before?.address.toLowerCase() === address.toLowerCase()
      const fresh = () => newAccount({ kind: 'injected', walletId, name, address })
      use(isSame && before !== undefined ? before : fresh(), wallet)
      await save({ kind: 'injected', walletId, name })
    })
  }

  /** Asks the wallet to switch to the venue's chain. */
  switchChain(): Promise<void> {
    const { connection, relay, work } = this.#parts
    return work(async () => {
      const { network } = await connection.open()
      const { walletId: id, name } = this.#require()
      await switchChain({ relay, network, id, name })
    })
  }

  getTestMoney(): Promise<void> {
    const { connection, steps, work } = this.#parts
    return work(async () => {
      const opened = await connection.open()
      const { address } = this.#require()
      const node = requireNode(opened)
      await steps([[text.getTestMoney, () => giveTestMoney(opened.venue, node, address)]])
    })
  }

  /** Deposits the amount, if one is given, and registers a key. */
  enableTrading(money: MoneyForm): Promise<void> {
    const { steps, tools, work } = this.#parts
    return work(async () => {
      const loaded = await tools()
      const first = money.amount === '' ? [] : await this.#tasks.deposit(loaded, money)
      await steps([...first, ...this.#tasks.enable(loaded)])
    })
  }

  /** Continues the steps that an earlier visit started. */
  async resume(): Promise<void> {
    const { saved, steps, tools, work } = this.#parts
    const { kind, keys } = saved() ?? {}
    if (kind === 'test' && keys === undefined) return this.startTest()
    await work(async () => {
      const loaded = await tools()
      const { begunDeposit, begunKeys } = this.#require()
      const first = begunDeposit && (await this.#tasks.deposit(loaded, begunDeposit.asked))
      const second = begunKeys && this.#tasks.enable(loaded)
      await steps([...(first ?? []), ...(second ?? [])])
    })
  }

  deposit(money: MoneyForm): Promise<void> {
    const { steps, tools, work } = this.#parts
    return work(async () => steps(await this.#tasks.deposit(await tools(), money)))
  }

  withdraw(form: MoneyForm): Promise<void> {
    const { steps, tools, txs, work } = this.#parts
    return work(async () => {
      const { venue, wallet } = await tools()
      const { text: title, call, words } = planWithdraw(venue, form, wallet.address)
      await steps([[title, () => txs.follow(words.title, wallet, () => wallet.send(call, words))]])
    })
  }

  async checkMoney(form: MoneyForm): Promise<MoneyCheck> {
    const { connection, reader, rest } = this.#parts
    const opened = await connection.open()
    const { address, keys } = this.#require()
    // Uses the wallet's own account even while a sub-account is selected: its money is what leaves.
    const accountRest =
      connection.isAway || keys === undefined ? undefined : rest.withKey(keys.apiKey)
    const request = await reader(opened)
    return checkMoney({ venue: opened.venue, request, address, accountRest }, form)
  }

  #require(): SavedAccount {
    const saved = this.#parts.saved()
    if (saved === undefined) throw new Error(text.connectFirst)
    return saved
  }
}
