// What a wallet does for the account: it is connected, gets and gives money, enables trading. Most
// of it signs or encodes calls, which is heavy: it is loaded when something of it is asked.
import type { Hex } from 'openvenue/signing'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connectWallet, switchChain } from '../wallet/injected-wallet.ts'
import { testWallet } from '../wallet/test-wallet.ts'
import { DEVNET, type Wallet } from '../wallet/wallet.ts'
import type { MoneyCheck, MoneyForm } from './account-protocol.ts'
import { AccountTasks } from './account-tasks.ts'
import type { ActionParts } from './control-parts.ts'
import { planWithdraw } from './money.ts'
import { checkMoney } from './money-check.ts'
import { giveTestMoney } from './play-money.ts'
import { newAccount, type SavedAccount } from './saved-account.ts'
import { requireNode } from './venue-connection.ts'

export class AccountActions {
  readonly #parts: ActionParts
  readonly #tasks: AccountTasks

  constructor(parts: ActionParts) {
    this.#parts = parts
    const { sessions } = parts
    this.#tasks = new AccountTasks({ ...parts, isTrading: () => sessions.current !== undefined })
  }

  /** Returns the wallet of an account, without a question to anybody. */
  async open(saved: SavedAccount): Promise<Wallet> {
    const connection = await this.#parts.connection.open()
    const { network, node } = connection
    const { walletId: id, name } = saved
    return saved.kind === 'test'
      ? testWallet(saved.walletKey as Hex, network, requireNode(connection))
      : connectWallet({ relay: this.#parts.relay, network, id, name, node }, false)
  }

  /** A test wallet with money that trades, from nothing, or from what there is of it. */
  startTest(): Promise<void> {
    const { connection, saved, save, use, work, steps, tools } = this.#parts
    return work(async () => {
      const { network } = await connection.open()
      if (network.name !== DEVNET)
        throw new Error('a test wallet is for a devnet: its key is kept in this browser alone')
      if (saved()?.kind !== 'test') {
        const walletKey = generatePrivateKey()
        const address = privateKeyToAddress(walletKey)
        use(newAccount({ kind: 'test', walletId: '', name: 'Test wallet', address }), undefined)
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

  /** Has the wallet change to the venue's chain. */
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
      await steps([['Get test money', () => giveTestMoney(opened.venue, node, address)]])
    })
  }

  /** Deposits, where an amount is given, and registers a key. */
  enableTrading(money: MoneyForm): Promise<void> {
    const { steps, tools, work } = this.#parts
    return work(async () => {
      const having = await tools()
      const first = money.amount === '' ? [] : await this.#tasks.deposit(having, money)
      await steps([...first, ...this.#tasks.enable(having)])
    })
  }

  /** Goes on with what an earlier visit has begun. */
  async resume(): Promise<void> {
    const { saved, steps, tools, work } = this.#parts
    const { kind, keys } = saved() ?? {}
    if (kind === 'test' && keys === undefined) return this.startTest()
    await work(async () => {
      const having = await tools()
      const { begunDeposit, begunKeys } = this.#require()
      const first = begunDeposit && (await this.#tasks.deposit(having, begunDeposit.asked))
      const second = begunKeys && this.#tasks.enable(having)
      await steps([...(first ?? []), ...(second ?? [])])
    })
  }

  deposit(money: MoneyForm): Promise<void> {
    const { steps, tools, work } = this.#parts
    return work(async () => steps(await this.#tasks.deposit(await tools(), money)))
  }

  withdraw(asked: MoneyForm): Promise<void> {
    const { steps, tools, txs, work } = this.#parts
    return work(async () => {
      const { venue, wallet } = await tools()
      const { text, call, words } = planWithdraw(venue, asked, wallet.address)
      await steps([[text, () => txs.follow(words.title, wallet, () => wallet.send(call, words))]])
    })
  }

  async checkMoney(asked: MoneyForm): Promise<MoneyCheck> {
    const { connection, reader, rest } = this.#parts
    const opened = await connection.open()
    const { address, keys } = this.#require()
    // The wallet's own account, also while a sub-account acts: its money is what leaves.
    const own = connection.isAway || keys === undefined ? undefined : rest.withKey(keys.apiKey)
    const request = await reader(opened)
    return checkMoney({ venue: opened.venue, request, address, own }, asked)
  }

  #require(): SavedAccount {
    const saved = this.#parts.saved()
    if (saved === undefined) throw new Error('connect a wallet first')
    return saved
  }
}
