// The account of this browser: its stored data, its session, and changes made in other tabs. Wallet
// actions are loaded on demand (`account-actions.ts`).
import { AuthError, Rest, VenueSocket } from 'openvenue'
import type { SigningVenue } from 'openvenue/signing'
import { loadPart, once } from '../../../protocol/worker/retry.ts'
import { lateSigner } from '../../session/worker/late-signer.ts'
import {
  newAccount,
  type SavedAccount,
  type SavedKeys,
} from '../../session/worker/saved-account.ts'
import { OTHER_TAB, runSteps, type Task } from '../../session/worker/steps.ts'
import { TxLog } from '../../session/worker/tx-log.ts'
import type { Connection } from '../../session/worker/venue-connection.ts'
import type { Request } from '../../wallet/worker/chain-rpc.ts'
import type { PlannedCall, Wallet } from '../../wallet/worker/wallet.ts'
import { readWallet } from '../../wallet/worker/wallet-reading.ts'
import * as text from '../text.ts'
import type { ActionParts, ControlParts, Tools } from './account-tasks.ts'
import { revokeKey } from './revoking.ts'
import { NO_STATE, viewTokens, viewWallet, type WalletState } from './wallet-view.ts'

const MS_PER_SECOND = 1000

export class AccountControl {
  readonly #parts: ControlParts
  readonly #rest: Rest
  readonly #txs = new TxLog((txs) => this.#change({ txs }))
  #saved: SavedAccount | undefined
  #wallet: Wallet | undefined
  #state: WalletState = NO_STATE

  constructor(parts: ControlParts) {
    this.#parts = parts
    this.#rest = new Rest({ url: parts.apiUrl, patience: { retries: 3, waitMsMax: 10_000 } })
    parts.relay.onSlow((isSlow) => this.#change({ isSlow }))
    parts.tabs.onChange((change) => void this.#applyTabChange(change).catch(() => {}))
  }

  async read(): Promise<void> {
    this.#saved = await this.#parts.file.read().catch(() => undefined)
  }

  /** Restores the stored account, as far as the venue still accepts it. */
  async restore(): Promise<void> {
    const { network } = await this.#parts.connection.open()
    this.#txs.explorer(network.explorerUrl)
    this.#change({ network })
    // In chain mode no session is resumed, and the wallet sends transactions.
    if (this.#parts.connection.isAway) await this.#readWallet()
    if (this.#saved?.keys !== undefined) await this.#resume(this.#saved.keys)
    await this.#readWallet()
  }

  async #resume(keys: SavedKeys): Promise<void> {
    if (keys.expirySeconds * MS_PER_SECOND <= Date.now()) return this.#save({ keys: undefined })
    try {
      await this.#rest.withKey(keys.apiKey).call('GET /account')
      await this.#begin(keys)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      await this.#save({ keys: undefined })
    }
  }

  /** Loads the actions that need the wallet. */
  readonly actions = once(async () => {
    const { AccountActions } = await loadPart(() => import('./account-actions.ts'))
    return new AccountActions(this.#actionParts())
  })

  #actionParts(): ActionParts {
    const { relay, connection, sessions } = this.#parts
    return {
      ...{ relay, connection, sessions, rest: this.#rest, txs: this.#txs },
      saved: () => this.#saved,
      save: (change) => this.#save(change),
      use: (saved, wallet) => {
        this.#saved = saved
        this.#wallet = wallet
      },
      begin: (keys) => this.#begin(keys),
      work: (work) => this.#work(work),
      steps: this.#steps,
      tools: () => this.#tools(),
      reader: (open) => this.#reader(open),
    }
  }

  stopWaiting(): void {
    this.#parts.relay.stopWaiting()
  }

  /**
   * Sends planned calls from the wallet one after another, each after the previous one is in a
   * block. Returns the block of the last one.
   */
  async sendPlanned(calls: readonly PlannedCall[]): Promise<number> {
    let block = 0
    await this.#work(async () => {
      const { wallet } = await this.#tools()
      const task = ({ text: title, call, words }: PlannedCall): Task => [
        title,
        async () => {
          block = await this.#txs.follow(title, wallet, () => wallet.send(call, words))
        },
      ]
      await this.#steps(calls.map(task))
    })
    return block
  }

  /** Address of the wallet; empty without one. */
  get address(): string {
    return this.#saved?.address ?? ''
  }

  /** True if a key is stored, valid or not. */
  get hasKeys(): boolean {
    return this.#saved?.keys !== undefined
  }

  /** Runs wallet tasks of another part of the worker, step by step. */
  perform(tasksOf: (venue: SigningVenue, wallet: Wallet) => readonly Task[]): Promise<void> {
    return this.#work(async () => {
      const { venue, wallet } = await this.#tools()
      await this.#steps(tasksOf(venue, wallet))
    })
  }

  /** Starts the session of the wallet's own account again. */
  async beginOwn(): Promise<void> {
    if (this.#saved?.keys !== undefined) await this.#begin(this.#saved.keys)
  }

  /** Forgets keys that have ended. The wallet stays, and trading can be enabled again. */
  async forgetKeys(): Promise<void> {
    const apiKey = this.#saved?.keys?.apiKey
    this.#parts.sessions.set(undefined)
    await this.#save({ keys: undefined })
    this.#parts.tabs.publish('changed')
    if (apiKey !== undefined) await revokeKey(this.#rest, apiKey)
  }

  /** Forgets the keys of the session: another account of the wallet needs its own. */
  async walletChanged(): Promise<void> {
    if (!this.#state.isBusy) await this.#readWallet()
  }

  /** Revokes the API key if the venue can be reached, and forgets everything. */
  async signOut(): Promise<void> {
    const apiKeys = [this.#saved?.keys?.apiKey, this.#saved?.begunKeys?.apiKey]
    await this.#forget()
    this.#parts.tabs.publish('signed out')
    for (const apiKey of apiKeys) if (apiKey !== undefined) await revokeKey(this.#rest, apiKey)
  }

  async #forget(): Promise<void> {
    this.#parts.sessions.set(undefined)
    this.#saved = undefined
    this.#wallet = undefined
    this.#txs.clear()
    await this.#parts.file.clear()
    this.#change({ steps: [], tokens: [], txs: [], chainId: undefined })
  }

  async #begin({ apiKey, signingKey, expirySeconds }: SavedKeys): Promise<void> {
    const account = this.#saved?.address
    if (account === undefined) return
    const { venue } = await this.#parts.connection.open()
    this.#parts.sessions.set({
      ...{ account, venue, rest: this.#rest.withKey(apiKey) },
      hasty: new Rest({ url: this.#parts.apiUrl, apiKey }),
      socket: new VenueSocket({ url: this.#parts.apiUrl, apiKey }),
      signer: lateSigner(signingKey),
      keyExpirySeconds: expirySeconds,
    })
    this.#show()
  }

  async #tools(): Promise<Tools> {
    const [connection, wallet] = await Promise.all([
      this.#parts.connection.open(),
      this.#openWallet(),
    ])
    return { ...connection, wallet }
  }

  /** Returns the wallet. After a reload it reconnects without prompting the user. */
  async #openWallet(): Promise<Wallet> {
    const saved = this.#require()
    const actions = this.#wallet === undefined ? await this.actions() : undefined
    this.#wallet ??= await actions?.open(saved)
    if (this.#wallet?.address.toLowerCase() === saved.address.toLowerCase()) return this.#wallet
    this.#wallet = undefined
    throw new Error(text.otherAccount(saved.address))
  }

  /** Returns a reader of the chain that never prompts the user. */
  async #reader({ node }: Connection): Promise<Request> {
    return node ?? (await this.#openWallet()).request
  }

  readonly #steps = (tasks: readonly Task[]) => runSteps(tasks, (steps) => this.#change({ steps }))

  /** Runs one task at a time, and in one tab at a time. */
  async #work(work: () => Promise<void>): Promise<void> {
    if (this.#state.isBusy) throw new Error(text.busy)
    this.#change({ isBusy: true, steps: [] })
    const { tabs } = this.#parts
    try {
      await tabs.alone(
        async () => {
          await this.#adopt()
          await work()
        },
        () => this.#change({ steps: [OTHER_TAB] }),
      )
    } finally {
      this.#change({ isBusy: false })
      tabs.publish('changed')
      void this.#readWallet()
    }
  }

  async #applyTabChange(change: 'changed' | 'signed out'): Promise<void> {
    if (change === 'signed out') await this.#forget()
    else if (!this.#state.isBusy) await this.#adopt()
  }

  /** Applies changes made in another tab. */
  async #adopt(): Promise<void> {
    const before = this.#saved
    const saved = await this.#parts.file.read()
    this.#saved = saved
    if (saved?.address !== before?.address) this.#wallet = undefined
    const isTrading = this.#parts.sessions.current !== undefined
    if (saved?.keys === undefined) {
      if (isTrading) this.#parts.sessions.set(undefined)
    } else if (!isTrading || saved.keys.apiKey.key !== before?.keys?.apiKey.key)
      await this.#begin(saved.keys)
    this.#show()
  }

  /** Reads the wallet's balances and follows it to another account or chain. */
  async #readWallet(): Promise<void> {
    await Promise.allSettled([this.#readTokens(), this.#followWallet()])
  }

  async #readTokens(): Promise<void> {
    if (this.#saved === undefined) return
    const { address } = this.#saved
    const connection = await this.#parts.connection.open()
    const tokens = await viewTokens(connection.venue, await this.#reader(connection), address)
    if (this.#saved?.address === address) this.#change({ tokens })
  }

  async #followWallet(): Promise<void> {
    const saved = this.#saved
    if (saved?.kind !== 'injected') return
    const { walletId, name } = saved
    const now = await readWallet({ relay: this.#parts.relay, id: walletId })
    if (this.#saved?.address !== saved.address) return
    this.#change({ chainId: now.chainId })
    if (now.address?.toLowerCase() === saved.address.toLowerCase()) return
    await this.signOut()
    if (now.address === undefined) return
    this.#saved = newAccount({ kind: 'injected', walletId, name, address: now.address })
    this.#change({ chainId: now.chainId })
    await this.#save({})
    this.#parts.tabs.publish('changed')
  }

  #require(): SavedAccount {
    if (this.#saved === undefined) throw new Error(text.connectFirst)
    return this.#saved
  }

  async #save(change: Partial<SavedAccount>): Promise<void> {
    if (this.#saved === undefined) throw new Error(text.signedOut)
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
