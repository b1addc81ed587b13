// Brings what an account owns into the model when somebody asks for it, and looks at it there.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { OwnedKind } from '@openvenue/store/owned'
import type { Reader } from '@openvenue/store/store'
import { JoinFailed } from '../model/feed-join.ts'
import type { Joining } from '../model/owned-records.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { historyUnavailable } from '../refusals.ts'
import type { Owner } from './owner.ts'

/** Accounts read by one statement. */
export const ACCOUNTS_READ_MAX = 100
/** Accounts asked about at a time: beyond it nobody waits. */
export const ACCOUNTS_ASKED_MAX = 1000
/** How long the model may take to come to what the database told. */
const JOIN_MS_MAX = 5000
/** An account may leave, or the model begin anew, as often before whoever asks is refused. */
const TRIES_MAX = 3

export type OwnedReadsDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'owned'>
  joinMsMax?: number
}>

export type LookOptions = Readonly<{
  /** Nobody asked for the account: it stays no longer than it did. */
  isPassing?: boolean
}>

export class OwnedReads {
  readonly #deps: OwnedReadsDeps
  /** Those of this turn, for one statement. */
  #asked: Joining[] = []

  constructor(deps: OwnedReadsDeps) {
    this.#deps = deps
  }

  /**
   * Returns what `look` sees in a turn in which the model has all that the owner owns, at its head.
   * Refuses with 503 while the database does not answer.
   */
  async look<T>(
    { account }: Pick<Owner, 'account'>,
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
    const { owned } = this.#deps.model
    if (owned.joining >= ACCOUNTS_ASKED_MAX) throw historyUnavailable()
    const before = owned.joining
    const joining = owned.begin(account)
    if (owned.joining > before) {
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

  async #readAll(asked: readonly Joining[]): Promise<void> {
    const { model, reader } = this.#deps
    try {
      const { seq, rows } = await reader.owned(asked.map(({ account }) => account))
      const byAccount = Map.groupBy(rows, ownerOf)
      for (const joining of asked) {
        const isOver = model.owned.arrive(joining, {
          seq,
          rows: byAccount.get(joining.account) ?? [],
        })
        if (!isOver) this.#failLater(joining)
      }
    } catch (error) {
      for (const joining of asked) model.owned.fail(joining, error)
    }
  }

  /** The database is ahead of the feed, which comes as far within a moment unless it is cut off. */
  #failLater(joining: Joining): void {
    const { model, joinMsMax = JOIN_MS_MAX } = this.#deps
    AbortSignal.timeout(joinMsMax).addEventListener('abort', () =>
      model.owned.fail(joining, new JoinFailed('the feed is behind the database')),
    )
  }
}

const ownerOf = (change: Change) => (change as ChangeOf<OwnedKind>).after?.account
