// Checks whether this browser has an account at the venue. Without one, no account code is loaded;
// the venue's contracts are stored all the same (0071), and changes by other tabs are followed.
import { Rest } from 'openvenue'
import { askAgain } from '../features/chain/worker/ask-again.ts'
import { VenuePlaces } from '../features/chain/worker/venue-place.ts'
import { AccountTabs } from '../features/session/worker/account-tabs.ts'
import { AccountFile } from '../features/session/worker/saved-account.ts'
import { indexedRecords, SealedStore } from '../features/session/worker/sealed-store.ts'
import { VenueConnection } from '../features/session/worker/venue-connection.ts'
import { NO_WALLET } from '../features/wallet/wallet-protocol.ts'
import { DEVNET } from '../features/wallet/worker/wallet.ts'
import { loadPart } from '../protocol/worker/retry.ts'
import type { AccountPart } from './account-part.ts'
import type { WorkerParts } from './worker-parts.ts'

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
      loadVenue: (rest) => places.load(rest),
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

  /** Restores the account of the last visit; without one, shows how to open one. */
  begin(): void {
    this.tabs.onChange((change) => {
      if (change === 'changed') this.load().catch(() => {})
    })
    // If the venue does not answer, the connection banner reports it.
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

  /** Loads the account code once, and returns its request handlers. */
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
