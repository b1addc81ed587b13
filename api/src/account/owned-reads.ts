// Loads an account's records into the model on request, and reads them there.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { OwnedKind } from '@openvenue/store/history/owner-records'
import type { Reader } from '@openvenue/store/store'
import { historyUnavailable } from '../http/refusals.ts'
import { joinAll, type PendingJoin } from '../model/feed-join.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Accounts read by one statement. */
const ACCOUNTS_READ_MAX = 100
/** Concurrent account reads; further requests are refused. */
const ACCOUNTS_ASKED_MAX = 1000
/** Attempts before a refusal: the account may be evicted or the model reloaded meanwhile. */
const TRIES_MAX = 3

type OwnedReadsDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'owned'>
  joinMsMax?: number
}>

type PendingRead = PendingJoin<number, readonly Change[], Change>

export type ReadOptions = Readonly<{
  /** True when the read does not extend the account's stay in the model. */
  isPassing?: boolean
}>

export class OwnedReads {
  readonly #deps: OwnedReadsDeps
  /** Requests of this turn, read with one statement. */
  #asked: PendingRead[] = []

  constructor(deps: OwnedReadsDeps) {
    this.#deps = deps
  }

  /**
   * Returns the result of `look`, called in a turn in which the model holds all records of the
   * owner, at its head. Refuses with 503 while the database does not answer.
   */
  async look<T>(
    { account }: Readonly<{ account: number | undefined }>,
    look: () => T,
    { isPassing = false }: ReadOptions = {},
  ): Promise<T> {
    // A wallet without a number owns nothing.
    if (account === undefined) return look()
    const { owned } = this.#deps.model
    const wasHeld = owned.has(account)
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (owned.use(account)) {
        const seen = look()
        if (isPassing && !wasHeld) owned.release(account)
        return seen
      }
      await this.#read(account)
    }
    throw historyUnavailable()
  }

  async #read(account: number): Promise<void> {
    const { joins } = this.#deps.model.owned
    if (joins.size >= ACCOUNTS_ASKED_MAX) throw historyUnavailable()
    const isNew = !joins.has(account)
    const joining = joins.begin(account)
    if (isNew) {
      this.#asked.push(joining)
      if (this.#asked.length === 1) queueMicrotask(() => this.#readAsked())
    }
    await joining.done.promise.catch((cause: unknown) => {
      throw historyUnavailable(cause)
    })
  }

  #readAsked(): void {
    const requests = this.#asked
    this.#asked = []
    for (let from = 0; from < requests.length; from += ACCOUNTS_READ_MAX)
      void this.#readAll(requests.slice(from, from + ACCOUNTS_READ_MAX))
  }

  async #readAll(requests: readonly PendingRead[]): Promise<void> {
    const { model, reader, joinMsMax } = this.#deps
    const ask = async () => {
      const { seq, rows } = await reader.owned(requests.map(({ key }) => key))
      const byAccount = Map.groupBy(rows, owner)
      return (account: number) => ({ seq, rows: byAccount.get(account) ?? [] })
    }
    await joinAll(model.owned.joins, requests, ask, joinMsMax)
  }
}

const owner = (change: Change) => (change as ChangeOf<OwnedKind>).after?.account
