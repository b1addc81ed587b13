// The way to an account that trades: a wallet, money, keys; and out again.
import { type ApiKey, AuthError, Rest, VenueSocket } from 'openvenue'
import {
  allowVenueToCancel,
  type Call,
  type Hex,
  register,
  type Signer,
  type SigningVenue,
} from 'openvenue/signing'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { PlannedCall } from '../chain/chain-actions.ts'
import { included, nodeAt, type Request } from '../wallet/chain-rpc.ts'
import type { WalletView, Words } from '../wallet/wallet-protocol.ts'
import type { WalletRelay } from '../wallet/wallet-relay.ts'
import { viewTokens, viewWallet, type WalletState } from '../wallet/wallet-view.ts'
import { connectWallet, type Network, testWallet, type Wallet } from '../wallet/wallets.ts'
import { approve, deposit, type MoneyAsked, readMoney, withdraw } from './money.ts'
import { DEVNET, giveTestMoney } from './play-money.ts'
import type { AccountFile, SavedAccount, SavedKeys } from './saved-account.ts'
import type { SessionHolder } from './session.ts'
import { runSteps, type Task } from './steps.ts'

const KEY_SECONDS = 7 * 24 * 60 * 60
const MS_PER_SECOND = 1000
/** Of the test money; the rest stays in the wallet, to deposit where it is wanted. */
const TEST_DEPOSIT: MoneyAsked = { engine: 'perps', symbol: 'USDC', amount: '50000' }

export type ControlParts = Readonly<{
  apiUrl: string
  file: AccountFile
  relay: WalletRelay
  sessions: SessionHolder
  show: (view: WalletView) => void
  /** Reads the venue, held against what is known of it. */
  loadVenue: (rest: Rest) => Promise<SigningVenue>
  /** The venue by its chain alone; undefined unless that is what is shown. */
  away: () => AwayVenue | undefined
}>

export type AwayVenue = Readonly<{ venue: SigningVenue; ask: Request }>

export class AccountControl {
  readonly #parts: ControlParts
  readonly #rest: Rest
  #venue: Promise<SigningVenue> | undefined
  #saved: SavedAccount | undefined
  #wallet: Wallet | undefined
  #state: WalletState = { isBusy: false, steps: [], tokens: [], network: undefined }

  constructor(parts: ControlParts) {
    this.#parts = parts
    this.#rest = new Rest({ url: parts.apiUrl, patience: { retries: 3, waitMsMax: 10_000 } })
  }

  /** Takes up what was saved, as far as the venue still takes it. */
  async restore(): Promise<void> {
    const saved = await this.#parts.file.read().catch(() => undefined)
    this.#saved = saved
    const { network } = await this.#network()
    this.#change({ network })
    if (this.#parts.away() !== undefined) await this.#readTokens().catch(() => {})
    if (saved?.keys !== undefined) await this.#resume(saved.keys)
    if (saved !== undefined) await this.#readTokens().catch(() => {})
  }

  async #resume(keys: SavedKeys): Promise<void> {
    try {
      if (keys.expirySeconds * MS_PER_SECOND <= Date.now()) throw new AuthExpired()
      await this.#rest.withKey(keys.apiKey).call('GET /account')
      await this.#begin(keys)
    } catch (error) {
      if (!(error instanceof AuthError || error instanceof AuthExpired)) throw error
      await this.#save({ keys: undefined })
    }
  }

  /** A test wallet with money that trades, from nothing, or from what there is of it. */
  startTest(): Promise<void> {
    return this.#work(async () => {
      const venue = await this.#signingVenue()
      if (venue.info.network.name !== DEVNET)
        throw new Error('a test wallet is for a devnet: its key is kept in this browser alone')
      if (this.#saved?.kind !== 'test') {
        const walletKey = generatePrivateKey()
        const { address } = privateKeyToAccount(walletKey)
        this.#wallet = undefined
        this.#saved = { kind: 'test', name: 'Test wallet', address, walletKey, keys: undefined }
        await this.#save({})
      }
      const wallet = await this.#openWallet()
      await this.#steps([
        ['Get test money', () => giveTestMoney(venue, wallet.request, wallet.address)],
        ...this.#depositTasks(venue, wallet, TEST_DEPOSIT),
        ...this.#enableTasks(venue, wallet),
      ])
    })
  }

  connect(name: string): Promise<void> {
    return this.#work(async () => {
      const { network } = await this.#network()
      const wallet = await connectWallet(this.#parts.relay, network, { name, isAsked: true })
      this.#wallet = wallet
      const { address } = wallet
      const isSame = this.#saved?.address.toLowerCase() === address.toLowerCase()
      const keys = isSame ? this.#saved?.keys : undefined
      this.#saved = { kind: 'injected', name, address, walletKey: undefined, keys }
      await this.#save({})
    })
  }

  getTestMoney(): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet, { node }] = await Promise.all([
        this.#signingVenue(),
        this.#openWallet(),
        this.#network(),
      ])
      await this.#steps([['Get test money', () => giveTestMoney(venue, node, wallet.address)]])
    })
  }

  /** Deposits, where an amount is given, and registers a key. */
  enableTrading(money: MoneyAsked): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
      const first = money.amount === '' ? [] : this.#depositTasks(venue, wallet, money)
      await this.#steps([...first, ...this.#enableTasks(venue, wallet)])
    })
  }

  deposit(money: MoneyAsked): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
      await this.#steps(this.#depositTasks(venue, wallet, money))
    })
  }

  withdraw(asked: MoneyAsked): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
      const money = readMoney(venue, asked)
      await this.#steps([['Withdraw', () => withdraw(wallet, asked, money)]])
    })
  }

  /** Has the wallet send a call that is not about money, and waits until a block has it. */
  send(words: Words, callOf: (venue: SigningVenue) => Call): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
      const sent = async () => wallet.send(callOf(venue), words)
      await this.#steps([[words.title, async () => included(wallet.request, await sent())]])
    })
  }

  /** Has the wallet send what was planned, one after the other. */
  sendPlanned(calls: readonly PlannedCall[]): Promise<void> {
    return this.#work(async () => {
      const wallet = await this.#openWallet()
      const task = ({ text, call, words }: PlannedCall): Task => [
        text,
        async () => included(wallet.request, await wallet.send(call, words)),
      ]
      await this.#steps(calls.map(task))
    })
  }

  /** Of the wallet; empty without one. */
  get address(): string {
    return this.#saved?.address ?? ''
  }

  /** Whether a key was saved, good or not. */
  get hasKeys(): boolean {
    return this.#saved?.keys !== undefined
  }

  /** Has the wallet do what another part of the worker asks for, step by step. */
  perform(tasksOf: (venue: SigningVenue, wallet: Wallet) => readonly Task[]): Promise<void> {
    return this.#work(async () => {
      const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
      await this.#steps(tasksOf(venue, wallet))
    })
  }

  /** Begins the session of the wallet's own account again. */
  async beginOwn(): Promise<void> {
    if (this.#saved?.keys !== undefined) await this.#begin(this.#saved.keys)
  }

  /** Forgets keys that are ended; the wallet stays, and trading can be enabled anew. */
  async forgetKeys(): Promise<void> {
    const apiKey = this.#saved?.keys?.apiKey
    this.#parts.sessions.set(undefined)
    await this.#save({ keys: undefined })
    if (apiKey !== undefined) await this.#revoke(apiKey).catch(() => {})
  }

  /** Another account of the wallet is another session: the keys of this one are forgotten. */
  async walletChanged(): Promise<void> {
    const saved = this.#saved
    if (saved?.kind !== 'injected' || this.#state.isBusy) return
    const [address] = (await this.#parts.relay.request(saved.name, [
      'eth_accounts',
      [],
    ])) as readonly string[]
    if (address?.toLowerCase() !== saved.address.toLowerCase()) await this.signOut()
  }

  /** Revokes the API key where the venue can be asked, and forgets everything. */
  async signOut(): Promise<void> {
    const apiKey = this.#saved?.keys?.apiKey
    this.#parts.sessions.set(undefined)
    this.#saved = undefined
    this.#wallet = undefined
    await this.#parts.file.clear()
    this.#change({ steps: [], tokens: [], isBusy: false })
    if (apiKey !== undefined) await this.#revoke(apiKey).catch(() => {})
  }

  async #revoke(apiKey: ApiKey): Promise<void> {
    await this.#rest.withKey(apiKey).call('DELETE /api-key', { body: { api_key: apiKey.key } })
  }

  #depositTasks(venue: SigningVenue, wallet: Wallet, asked: MoneyAsked): Task[] {
    const money = readMoney(venue, asked)
    const text = `${asked.amount} ${asked.symbol}`
    return [
      [`Approve ${text}`, () => approve(wallet, asked, money)],
      [`Deposit ${text}`, () => deposit(wallet, asked, money)],
    ]
  }

  #enableTasks(venue: SigningVenue, wallet: Wallet): Task[] {
    const signingKey = generatePrivateKey()
    const key = privateKeyToAccount(signingKey) as Signer
    const expirySeconds = Math.floor(Date.now() / MS_PER_SECOND) + KEY_SECONDS
    let keys: SavedKeys | undefined
    const onApiKey = (apiKey: ApiKey) => {
      keys = { apiKey, signingKey, expirySeconds }
    }
    const registration = { wallet: wallet.signer, key, expirySeconds }
    const registerKey = () => register(this.#rest, venue, registration, { onApiKey })
    const rest = () => this.#rest.withKey(keys?.apiKey)
    return [
      ['Register a signing key: it trades, and cannot withdraw', registerKey],
      [
        'Let the venue cancel orders, and nothing else',
        () => allowVenueToCancel(rest(), venue, { signer: wallet.signer }),
      ],
      [
        'Trading is enabled',
        async () => {
          await this.#save({ keys })
          if (keys !== undefined) await this.#begin(keys)
        },
      ],
    ]
  }

  async #begin({ apiKey, signingKey, expirySeconds }: SavedKeys): Promise<void> {
    const account = this.#saved?.address
    if (account === undefined) return
    const venue = await this.#signingVenue()
    this.#parts.sessions.set({
      ...{ account, venue, rest: this.#rest.withKey(apiKey) },
      hasty: new Rest({ url: this.#parts.apiUrl, apiKey }),
      socket: new VenueSocket({ url: this.#parts.apiUrl, apiKey }),
      signer: privateKeyToAccount(signingKey) as Signer,
      keyExpirySeconds: expirySeconds,
    })
    this.#show()
  }

  #signingVenue(): Promise<SigningVenue> {
    const away = this.#parts.away()
    if (away !== undefined) return Promise.resolve(away.venue)
    this.#venue ??= this.#parts.loadVenue(this.#rest).catch((error: unknown) => {
      this.#venue = undefined
      throw error
    })
    return this.#venue
  }

  async #network(): Promise<Readonly<{ network: Network; node: Request }>> {
    const { name, chain_id: chainId, rpc_urls: rpcUrls } = (await this.#signingVenue()).info.network
    const [url] = rpcUrls
    const away = this.#parts.away()
    if (away !== undefined) return { network: { name, chainId, rpcUrls }, node: away.ask }
    const nowhere: Request = () => Promise.reject(new Error('the venue names no node of the chain'))
    return { network: { name, chainId, rpcUrls }, node: url === undefined ? nowhere : nodeAt(url) }
  }

  /** Returns the wallet, which after a visit is connected again without a question. */
  async #openWallet(): Promise<Wallet> {
    const { network, node } = await this.#network()
    const saved = this.#saved
    if (saved === undefined) throw new Error('connect a wallet first')
    this.#wallet ??=
      saved.kind === 'test'
        ? testWallet(saved.walletKey as Hex, network, node)
        : await connectWallet(this.#parts.relay, network, { name: saved.name, isAsked: false })
    if (this.#wallet.address.toLowerCase() === saved.address.toLowerCase()) return this.#wallet
    this.#wallet = undefined
    throw new Error(`the wallet has another account than ${saved.address}`)
  }

  async #steps(tasks: readonly Task[]): Promise<void> {
    await runSteps(tasks, (steps) => this.#change({ steps }))
  }

  /** One thing at a time. */
  async #work(work: () => Promise<void>): Promise<void> {
    if (this.#state.isBusy) throw new Error('the step before this one is not done yet')
    this.#change({ isBusy: true, steps: [] })
    try {
      await work()
    } finally {
      this.#change({ isBusy: false })
      await this.#readTokens().catch(() => {})
    }
  }

  async #readTokens(): Promise<void> {
    if (this.#saved === undefined) return
    const [venue, wallet] = await Promise.all([this.#signingVenue(), this.#openWallet()])
    this.#change({ tokens: await viewTokens(venue, wallet) })
  }

  async #save(change: Partial<SavedAccount>): Promise<void> {
    if (this.#saved === undefined) return
    this.#saved = { ...this.#saved, ...change }
    await this.#parts.file.write(this.#saved)
    this.#show()
  }

  #change(change: Partial<WalletState>): void {
    this.#state = { ...this.#state, ...change }
    this.#show()
  }

  #show(): void {
    const isEnabled = this.#parts.sessions.current !== undefined
    this.#parts.show(viewWallet(this.#saved, this.#state, isEnabled))
  }
}

class AuthExpired extends Error {}
