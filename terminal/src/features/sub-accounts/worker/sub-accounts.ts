// Sub-accounts of the wallet, each with its own margin and keys. One account is selected at a time:
// its orders are placed and its tables shown.
import { type ApiKey, AuthError, fromRaw, Rest, VenueSocket } from 'openvenue'
import { type Address, allowVenueToCancel, register, type SigningVenue } from 'openvenue/signing'
import { generatePrivateKey } from 'viem/accounts'
import type { Handlers } from '../../../protocol/worker/requests.ts'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { AccountControl } from '../../account/worker/account-control.ts'
import { planGive, planOpenSub, planTakeBack } from '../../account/worker/planned-calls.ts'
import { readMoney } from '../../money/worker/money.ts'
import { keySigner } from '../../session/worker/key-signer.ts'
import { lateSigner } from '../../session/worker/late-signer.ts'
import type { SavedKeys } from '../../session/worker/saved-account.ts'
import type { SealedStore } from '../../session/worker/sealed-store.ts'
import type { Session, SessionHolder } from '../../session/worker/session.ts'
import type { Task } from '../../session/worker/steps.ts'
import {
  ACCOUNTS,
  LENS,
  type PerpAccount,
  readAtHead,
  subAddress,
} from '../../wallet/worker/chain-reads.ts'
import { nodeAt } from '../../wallet/worker/chain-rpc.ts'
import type { Wallet } from '../../wallet/worker/wallet.ts'
import type { AccountRow, Move, SubAccountRequests } from '../sub-accounts-protocol.ts'
import * as text from '../text.ts'

/** Number of indexes to check; a wallet may have opened more elsewhere. */
const INDEXES = 16
const DECIMALS = 18
const MONEY_DECIMALS = 2
const KEY_SECONDS = 7 * 24 * 60 * 60
const MS_PER_SECOND = 1_000
const PATIENCE = { retries: 3, waitMsMax: 10_000 }
/** The token of perpetual margin. */
const SYMBOL = 'USDC'
const NO_OWNER = /^0x0+$/

type SubParts = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  control: AccountControl
  store: SealedStore
  /** Shows the selected account; empty: the wallet's own account. */
  show: (acting: string) => void
}>

export class SubAccounts {
  readonly #parts: SubParts
  #main: Session | undefined
  /** Keys of sub-accounts that were used, by address. */
  #keys: ReadonlyMap<string, SavedKeys> = new Map()

  constructor(parts: SubParts) {
    this.#parts = parts
    this.#main = parts.sessions.current
    parts.sessions.onChange((session) => this.#changeSession(session))
  }

  /** Discards the data of the previous wallet if another one, or none, is used. */
  #changeSession(session: Session | undefined): void {
    const { show } = this.#parts
    if (session !== undefined && this.#keys.has(session.account)) {
      show(session.account)
      return
    }
    if (session?.account !== this.#main?.account) {
      for (const { apiKey } of this.#keys.values()) void this.#revoke(apiKey)
      this.#keys = new Map()
    }
    this.#main = session
    show('')
  }

  handlers(): Handlers<SubAccountRequests> {
    const done = async (work: Promise<void>): Promise<null> => {
      await work
      return null
    }
    return {
      readAccounts: () => this.#read(),
      openSubAccount: () => done(this.#open()),
      moveMoney: (move) => done(this.#move(move)),
      actAs: ({ address }) => done(this.#actAs(address)),
    }
  }

  async #read(): Promise<readonly AccountRow[]> {
    const { account: owner } = this.#requireMain()
    const acting = this.#parts.sessions.require().account
    const { subs, equities } = await this.#find()
    const row = (address: string, name: string): AccountRow => {
      const account = equities.get(address)
      return {
        ...{ address, name, isActing: address === acting, isMain: address === owner },
        equity:
          account === undefined
            ? '–'
            : showDecimal(fromRaw(account.equity, DECIMALS), MONEY_DECIMALS),
        movable: account === undefined ? '' : fromRaw(account.withdrawable, DECIMALS),
      }
    }
    return [
      row(owner, text.main),
      ...subs.map(({ address, index }) => row(address, text.sub(index))),
    ]
  }

  /** Finds the wallet's sub-accounts in the contract, with the equity of each account. */
  async #find() {
    const { venue, account: owner } = this.#requireMain()
    const { read } = await readAtHead(nodeAt(nodeUrl(venue)))
    const lens = venue.info.contracts.lens?.address
    const perps = venue.contracts.perps
    const equities = new Map<string, PerpAccount>()
    const readEquity = async (address: string): Promise<number> => {
      const number = await read<number>(venue.accounts, ACCOUNTS, ['accountOf', [address]])
      if (number !== 0 && lens !== undefined && perps !== undefined)
        equities.set(address, await read<PerpAccount>(lens, LENS, ['perpAccount', [perps, number]]))
      return number
    }
    const indexes = Array.from({ length: INDEXES }, (_, index) => index)
    const subs = await Promise.all(
      indexes.map(async (index) => {
        const address = subAddress(venue.accounts, owner, index)
        const number = await readEquity(address)
        if (number === 0) return []
        const opener = await read<string>(venue.accounts, ACCOUNTS, ['ownerOf', [number]])
        // Anyone may open an account for any address: that does not make it a sub-account.
        return NO_OWNER.test(opener) ? [] : [{ address, index }]
      }),
    )
    await readEquity(owner)
    return { subs: subs.flat(), equities }
  }

  async #open(): Promise<void> {
    const { venue } = this.#requireMain()
    const { subs } = await this.#find()
    const taken = new Set(subs.map(({ index }) => index))
    const index = Array.from({ length: INDEXES }, (_, at) => at).find((at) => !taken.has(at))
    if (index === undefined) throw new Error(text.tooMany(INDEXES))
    await this.#parts.control.sendPlanned([planOpenSub(venue, index)])
  }

  /** Transfers margin between the wallet's own account and a sub-account. */
  async #move({ sub, isBack, amount }: Move): Promise<void> {
    const { venue } = this.#requireMain()
    const money = readMoney(venue, { engine: 'perps', symbol: SYMBOL, amount })
    const plan = isBack ? planTakeBack : planGive
    await this.#parts.control.sendPlanned([plan(venue, money, sub as Address)])
  }

  async #actAs(address: string): Promise<void> {
    const { sessions, control } = this.#parts
    const main = this.#requireMain()
    if (sessions.current?.account === address) return
    if (address === main.account) return control.beginOwn()
    const { subs } = await this.#find()
    if (!subs.some((sub) => sub.address === address)) throw new Error(text.notOfWallet(address))
    const keys = await this.#readKeys(address)
    if (keys !== undefined) return this.#begin(address, keys)
    await control.perform((venue, wallet) => this.#keyTasks(venue, wallet, address as Address))
  }

  #begin(address: string, keys: SavedKeys): void {
    const { apiUrl: url, sessions } = this.#parts
    const { apiKey, signingKey, expirySeconds } = keys
    const main = this.#requireMain()
    this.#keys = new Map([...this.#keys, [address, keys]])
    sessions.set({
      ...main,
      account: address as Address,
      keyExpirySeconds: expirySeconds,
      rest: new Rest({ url, apiKey, patience: PATIENCE }),
      hasty: new Rest({ url, apiKey }),
      socket: new VenueSocket({ url, apiKey }),
      signer: lateSigner(signingKey),
    })
  }

  /** Returns the steps in which the owner signs for a new key of the sub-account. */
  #keyTasks(venue: SigningVenue, wallet: Wallet, account: Address): readonly Task[] {
    const { apiUrl: url } = this.#parts
    const signingKey = generatePrivateKey()
    const key = keySigner(signingKey)
    const expirySeconds = Math.floor(Date.now() / MS_PER_SECOND) + KEY_SECONDS
    const rest = new Rest({ url, patience: PATIENCE })
    let keys: SavedKeys | undefined
    const onApiKey = (apiKey: ApiKey) => {
      keys = { apiKey, signingKey, expirySeconds }
    }
    const registration = { wallet: wallet.signer, key, account, expirySeconds }
    return [
      [text.registerKey, () => register(rest, venue, registration, { onApiKey })],
      [
        text.allowVenueToCancel,
        () => allowVenueToCancel(rest.withKey(keys?.apiKey), venue, { signer: key, account }),
      ],
      [
        text.switchToSubAccount,
        async () => {
          if (keys === undefined) return
          await this.#parts.store.write(this.#name(account), JSON.stringify(keys))
          this.#begin(account, keys)
        },
      ],
    ]
  }

  /** Returns the keys of an earlier use, unless the venue no longer accepts them. */
  async #readKeys(address: string): Promise<SavedKeys | undefined> {
    const saved = await this.#parts.store.read(this.#name(address))
    if (saved === undefined) return undefined
    const keys = JSON.parse(saved) as SavedKeys
    if (keys.expirySeconds * MS_PER_SECOND <= Date.now()) return undefined
    try {
      const { apiUrl: url } = this.#parts
      await new Rest({ url, apiKey: keys.apiKey, patience: PATIENCE }).call('GET /account')
      return keys
    } catch (error) {
      if (error instanceof AuthError) return undefined
      throw error
    }
  }

  #name(address: string): string {
    return `sub-account ${address} at ${this.#parts.apiUrl}`
  }

  async #revoke(apiKey: ApiKey): Promise<void> {
    const rest = new Rest({ url: this.#parts.apiUrl, apiKey })
    await rest.call('DELETE /api-key', { body: { api_key: apiKey.key } }).catch(() => {})
  }

  #requireMain(): Session {
    if (this.#main === undefined) throw new Error(text.enableTradingFirst)
    return this.#main
  }
}

function nodeUrl({ info }: SigningVenue): string {
  const [url] = info.network.rpc_urls
  if (url === undefined) throw new Error(text.noNode)
  return url
}
