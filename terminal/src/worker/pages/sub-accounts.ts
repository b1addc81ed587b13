// Sub-accounts: opened by the wallet, each with margin and keys of its own. One account acts at a
// time: its orders are placed, its tables shown.
import { type ApiKey, AuthError, fromRaw, Rest, VenueSocket } from 'openvenue'
import { type Address, allowVenueToCancel, register, type SigningVenue } from 'openvenue/signing'
import { generatePrivateKey } from 'viem/accounts'
import type { AccountControl } from '../account/account-control.ts'
import { keySigner } from '../account/key-signer.ts'
import { lateSigner } from '../account/late-signer.ts'
import { readMoney } from '../account/money.ts'
import type { SavedKeys } from '../account/saved-account.ts'
import type { SealedStore } from '../account/sealed-store.ts'
import type { Session, SessionHolder } from '../account/session.ts'
import type { Task } from '../account/steps.ts'
import type { Handlers } from '../requests.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { nodeAt } from '../wallet/chain-rpc.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { ACCOUNTS, LENS, type PerpAccount, readAtHead, subAddress } from './chain-reads.ts'
import { planGive, planOpenSub, planTakeBack } from './page-calls.ts'
import type { AccountRow, Move, PageRequests } from './page-protocol.ts'

/** Indexes that are looked at: a wallet may have more, opened elsewhere. */
export const INDEXES = 16
const DECIMALS = 18
const MONEY_DECIMALS = 2
const KEY_SECONDS = 7 * 24 * 60 * 60
const MS_PER_SECOND = 1_000
const PATIENCE = { retries: 3, waitMsMax: 10_000 }
/** Margin of perpetuals is of this token. */
const SYMBOL = 'USDC'
const NOBODY = /^0x0+$/

export type SubParts = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  control: AccountControl
  store: SealedStore
  /** Shows for whom the page acts; empty: the wallet's own account. */
  show: (acting: string) => void
}>

type SubRequests = Pick<PageRequests, 'readAccounts' | 'openSubAccount' | 'moveMoney' | 'actAs'>

export class SubAccounts {
  readonly #parts: SubParts
  /** The session of the wallet's own account. */
  #main: Session | undefined
  /** Keys of sub-accounts that were used, by their addresses. */
  #keys: ReadonlyMap<string, SavedKeys> = new Map()

  constructor(parts: SubParts) {
    this.#parts = parts
    this.#main = parts.sessions.current
    parts.sessions.onChange((session) => this.#heard(session))
  }

  /** A session of another wallet, or none, ends what this one had. */
  #heard(session: Session | undefined): void {
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

  handlers(): Handlers<SubRequests> {
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
    const { found, equities } = await this.#find()
    const row = (address: string, name: string): AccountRow => {
      const held = equities.get(address)
      return {
        ...{ address, name, isActing: address === acting, isMain: address === owner },
        equity:
          held === undefined ? '–' : showDecimal(fromRaw(held.equity, DECIMALS), MONEY_DECIMALS),
        movable: held === undefined ? '' : fromRaw(held.withdrawable, DECIMALS),
      }
    }
    return [row(owner, 'Main'), ...found.map(({ address, index }) => row(address, `Sub ${index}`))]
  }

  /** Finds the sub-accounts of the wallet in the contract, and what each account is worth. */
  async #find() {
    const { venue, account: owner } = this.#requireMain()
    const { read } = await readAtHead(nodeAt(nodeUrl(venue)))
    const lens = venue.info.contracts.lens?.address
    const perps = venue.contracts.perps
    const equities = new Map<string, PerpAccount>()
    const look = async (address: string): Promise<number> => {
      const number = await read<number>(venue.accounts, ACCOUNTS, ['accountOf', [address]])
      if (number !== 0 && lens !== undefined && perps !== undefined)
        equities.set(address, await read<PerpAccount>(lens, LENS, ['perpAccount', [perps, number]]))
      return number
    }
    const indexes = Array.from({ length: INDEXES }, (_, index) => index)
    const looked = await Promise.all(
      indexes.map(async (index) => {
        const address = subAddress(venue.accounts, owner, index)
        const number = await look(address)
        if (number === 0) return []
        const held = await read<string>(venue.accounts, ACCOUNTS, ['ownerOf', [number]])
        // Anybody may open an account for any address: that makes it no sub-account yet.
        return NOBODY.test(held) ? [] : [{ address, index }]
      }),
    )
    await look(owner)
    return { found: looked.flat(), equities }
  }

  async #open(): Promise<void> {
    const { venue } = this.#requireMain()
    const { found } = await this.#find()
    const taken = new Set(found.map(({ index }) => index))
    const index = Array.from({ length: INDEXES }, (_, at) => at).find((at) => !taken.has(at))
    if (index === undefined) throw new Error(`this page shows ${INDEXES} sub-accounts at most`)
    await this.#parts.control.sendPlanned([planOpenSub(venue, index)])
  }

  /** Moves margin between the wallet's own account and a sub-account. */
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
    const { found } = await this.#find()
    if (!found.some((one) => one.address === address))
      throw new Error(`${address} is no sub-account of this wallet`)
    const kept = await this.#readKeys(address)
    if (kept !== undefined) return this.#begin(address, kept)
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

  /** The owner signs for a new key of the sub-account. */
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
      [
        'Register a signing key of the sub-account',
        () => register(rest, venue, registration, { onApiKey }),
      ],
      [
        'Let the venue cancel its orders, and nothing else',
        () => allowVenueToCancel(rest.withKey(keys?.apiKey), venue, { signer: key, account }),
      ],
      [
        'The sub-account trades',
        async () => {
          if (keys === undefined) return
          await this.#parts.store.write(this.#name(account), JSON.stringify(keys))
          this.#begin(account, keys)
        },
      ],
    ]
  }

  /** Returns keys of an earlier use, unless the venue takes them no more. */
  async #readKeys(address: string): Promise<SavedKeys | undefined> {
    const text = await this.#parts.store.read(this.#name(address))
    if (text === undefined) return undefined
    const keys = JSON.parse(text) as SavedKeys
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
    if (this.#main === undefined) throw new Error('connect a wallet and enable trading first')
    return this.#main
  }
}

function nodeUrl({ info }: SigningVenue): string {
  const [url] = info.network.rpc_urls
  if (url === undefined) throw new Error('the venue names no node of the chain')
  return url
}
