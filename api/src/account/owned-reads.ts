// Brings what an account owns into the model when somebody asks for it, and looks at it there.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { OwnedKind } from '@openvenue/store/owned'
import type { Reader } from '@openvenue/store/store'
import { historyUnavailable } from '../http/refusals.ts'
import { type Joining, joinAll } from '../model/feed-join.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Accounts read by one statement. */
export const ACCOUNTS_READ_MAX = 100
/** Accounts asked about at a time: beyond it nobody waits. */
export const ACCOUNTS_ASKED_MAX = 1000
/** An account may leave, or the model begin anew, as often before whoever asks is refused. */
const TRIES_MAX = 3

export type OwnedReadsDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'owned'>
  joinMsMax?: number
}>

type Asked = Joining<number, readonly Change[], Change>

export type LookOptions = Readonly<{
  /** Nobody asked for the account: it stays no longer than it did. */
  isPassing?: boolean
}>

export class OwnedReads {
  readonly #deps: OwnedReadsDeps
  /** Those of this turn, for one statement. */
  #asked: Asked[] = []

  constructor(deps: OwnedReadsDeps) {
    this.#deps = deps
  }

  /**
   * Returns what `look` sees in a turn in which the model has all that the owner owns, at its head.
   * Refuses with 503 while the database does not answer.
   */
  async look<T>(
    { account }: Readonly<{ account: number | undefined }>,
    look: () => T,
    { isPassing = false }: LookOptions = {},
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
    const asked = this.#asked
    this.#asked = []
    for (let from = 0; from < asked.length; from += ACCOUNTS_READ_MAX)
      void this.#readAll(asked.slice(from, from + ACCOUNTS_READ_MAX))
  }

  async #readAll(asked: readonly Asked[]): Promise<void> {
    const { model, reader, joinMsMax } = this.#deps
    const ask = async () => {
      const { seq, rows } = await reader.owned(asked.map(({ key }) => key))
      const byAccount = Map.groupBy(rows, owner)
      return (account: number) => ({ seq, rows: byAccount.get(account) ?? [] })
    }
    await joinAll(model.owned.joins, asked, ask, joinMsMax)
  }
}

const owner = (change: Change) => (change as ChangeOf<OwnedKind>).after?.account
