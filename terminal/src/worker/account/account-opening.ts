// Finds out whether this browser has an account here. Whoever only looks loads nothing of what an
// account needs, and yet has the venue's contracts kept (0071) and hears of what other tabs do.
import { Rest } from 'openvenue'
import { VenuePlaces } from '../chain/venue-place.ts'
import { loadPart } from '../load-part.ts'
import { DEVNET } from '../wallet/wallet.ts'
import { NO_WALLET } from '../wallet/wallet-protocol.ts'
import type { WorkerParts } from '../worker-parts.ts'
import type { AccountPart } from './account-part.ts'
import { AccountTabs } from './account-tabs.ts'
import { askAgain } from './ask-again.ts'
import { indexedRecords } from './indexed-records.ts'
import { AccountFile } from './saved-account.ts'
import { SealedStore } from './sealed-store.ts'
import { VenueConnection } from './venue-connection.ts'

export class AccountOpening {
  readonly parts: WorkerParts
  readonly file: AccountFile
  readonly tabs: AccountTabs
  readonly connection: VenueConnection
  #loading: Promise<AccountPart> | undefined
  #part: AccountPart | undefined

  constructor(parts: WorkerParts) {
    const { apiUrl, config, fallback } = parts
    const records = indexedRecords()
    const places = new VenuePlaces(records, apiUrl, config)
    this.parts = parts
    this.file = new AccountFile(new SealedStore(records), apiUrl)
    this.tabs = new AccountTabs(apiUrl)
    const rest = new Rest({ url: apiUrl, patience: { retries: 3, waitMsMax: 10_000 } })
    this.connection = new VenueConnection(rest, {
      loadVenue: (asked) => places.load(asked),
      away: () => {
        const venue = fallback.mode?.venue()
        return venue && fallback.mode && { venue, ask: fallback.mode.ask }
      },
    })
    fallback.know({
      place: () => places.read(),
      wallet: () => this.#part?.address() ?? '',
      orders: () => this.#part?.orders() ?? [],
      renew: () => this.#part?.renew() ?? [],
    })
  }

  /** Takes up the account of the last visit; without one, says how to have one. */
  begin(): void {
    this.tabs.onChange((change) => {
      if (change === 'changed') this.load().catch(() => {})
    })
    // Where the venue does not answer, what is public says so already.
    void askAgain(() => this.#look(), this.parts.fallback.returns)
  }

  async #look(): Promise<void> {
    const saved = await this.file.read().catch(() => undefined)
    if (saved !== undefined) await this.load()
    const { name } = (await this.connection.open()).network
    if (this.#loading !== undefined) return
    const network = { network: name, isDevnet: name === DEVNET }
    this.parts.poster.show('wallet', { ...NO_WALLET, kind: 'none', ...network })
  }

  /** Loads what an account needs, once, and returns what answers the questions about it. */
  async load(): Promise<AccountPart['handlers']> {
    this.#loading ??= loadPart(() => import('./account-part.ts'))
      .then(({ openAccount }) => openAccount(this.parts, this))
      .catch((error: unknown) => {
        this.#loading = undefined
        throw error
      })
    this.#part = await this.#loading
    return this.#part.handlers
  }
}
