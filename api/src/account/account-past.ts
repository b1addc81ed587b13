// Joins an account's sums and closed positions from the database with its records in the model, so
// that both are at the model's head.
import type { ChangeOf } from '@openvenue/core/changes'
import type { ClosedCycle } from '@openvenue/core/records'
import { addedSums, type DaySums, type MarketSums } from '@openvenue/store/history/account-days'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import { END_OF_TIME_S } from '@openvenue/wire/account-query'
import { PORTFOLIO_POSITIONS_MAX } from '@openvenue/wire/account-stats'
import { historyUnavailable, orUnavailable } from '../http/refusals.ts'
import { FeedJoin, HEARD_MAX } from '../model/feed-join.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { OwnedReads } from './owned-reads.ts'
import { type Owner, ownerOf } from './owner.ts'
import type { Wallets } from './wallets.ts'

/** Attempts to read an account before a refusal; a reorg or a reload of the model voids one. */
const TRIES_MAX = 3

type SumsChange = ChangeOf<'fill'> | ChangeOf<'fundingPayment'>
type MarketDaySums = DaySums & Readonly<{ market: string }>

/** Realised results of an account up to the model's head. */
type AccountPast = Readonly<{
  /** Sums by market; a market may have several. */
  sums: readonly MarketDaySums[]
  /** The newest `PORTFOLIO_POSITIONS_MAX` closed positions. */
  closed: readonly ClosedCycle[]
}>

const NO_PAST: AccountPast = { sums: [], closed: [] }

type AccountPastDeps = Readonly<{
  model: VenueModel
  history: Pick<AccountHistory, 'daySums' | 'rows'>
  fresh: Pick<FreshReads, 'readCaughtUp'>
  wallets: Wallets
  owned: OwnedReads
}>

/** A read of one account. It collects the account's changes until it is answered. */
type AccountRead = {
  readonly sums: FeedJoin<readonly MarketSums[], SumsChange>
  readonly closed: FeedJoin<readonly ClosedCycle[], ChangeOf<'closedCycle'>>
  /** True after a row was taken back or the model was reloaded. */
  isLost: boolean
}

export class AccountPasts {
  readonly #deps: AccountPastDeps
  readonly #readings = new Map<number, Set<AccountRead>>()

  constructor(deps: AccountPastDeps) {
    this.#deps = deps
    const { model } = deps
    for (const recordKind of ['fill', 'fundingPayment'] as const)
      model.on(recordKind, (change) =>
        this.#hear(change, ({ sums }) => sums.hear(model.seq, change as SumsChange)),
      )
    model.on('closedCycle', (change) =>
      this.#hear(change, ({ closed }) => closed.hear(model.seq, change)),
    )
    model.onLoad(() => {
      for (const readings of this.#readings.values())
        for (const reading of readings) reading.isLost = true
    })
  }

  /**
   * Returns the result of `look` for the account of `wallet` and its past, both at the model's
   * head. Refuses with 503 while the database does not answer.
   */
  async look<T>(wallet: string, look: (owner: Owner, past: AccountPast) => T): Promise<T> {
    const { wallets, owned } = this.#deps
    const owner = await ownerOf(wallets, wallet)
    const { account } = owner
    if (account === undefined) return look(owner, NO_PAST)
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const reading = this.#begin(account)
      try {
        await this.#read(account, reading)
        const seen = await owned.look(owner, () => {
          const past = this.#pastOf(reading)
          return past === undefined ? undefined : { value: look(owner, past) }
        })
        if (seen !== undefined) return seen.value
      } finally {
        this.#end(account, reading)
      }
    }
    throw historyUnavailable()
  }

  async #read(account: number, { sums, closed }: AccountRead): Promise<void> {
    const { model, history, fresh } = this.#deps
    const perpetuals = [...model.markets].filter(({ market }) => market.type === 'PERPETUAL')
    const query = {
      account,
      markets: perpetuals.map(({ market }) => market.id),
      fromSeconds: 0,
      toSeconds: END_OF_TIME_S,
      isAscending: false,
      limit: PORTFOLIO_POSITIONS_MAX,
    }
    const reads = Promise.all([
      fresh.readCaughtUp((from) => history.daySums(account, [0], from)),
      fresh.readCaughtUp((from) => history.rows('closedCycle', query, from)),
    ])
    const [sumsRead, closedRead] = await orUnavailable(reads)
    await orUnavailable(
      Promise.resolve().then(() => {
        sums.arrive(sumsRead)
        closed.arrive(closedRead)
      }),
    )
  }

  /** Returns undefined when the rows read do not lead to the model's head. */
  #pastOf({ sums, closed, isLost }: AccountRead): AccountPast | undefined {
    const { seq } = this.#deps.model
    const ofSums = sums.at(seq)
    const ofClosed = closed.at(seq)
    if (isLost || ofSums === undefined || ofClosed === undefined) return undefined
    if (Math.max(ofSums.since.length, ofClosed.since.length) > HEARD_MAX) return undefined
    const newer = ofClosed.since.flatMap(({ after }) => after ?? []).reverse()
    return {
      sums: [
        ...ofSums.rows.flatMap(({ market, since: [ever] }) =>
          ever === undefined ? [] : [{ market, ...ever }],
        ),
        ...ofSums.since.flatMap(sumsOf),
      ],
      closed: [...newer, ...ofClosed.rows].slice(0, PORTFOLIO_POSITIONS_MAX),
    }
  }

  #begin(account: number): AccountRead {
    const { seq } = this.#deps.model
    const reading: AccountRead = {
      sums: new FeedJoin(seq),
      closed: new FeedJoin(seq),
      isLost: false,
    }
    const others = this.#readings.get(account)
    if (others === undefined) this.#readings.set(account, new Set([reading]))
    else others.add(reading)
    return reading
  }

  #end(account: number, reading: AccountRead): void {
    const readings = this.#readings.get(account)
    readings?.delete(reading)
    if (readings?.size === 0) this.#readings.delete(account)
  }

  #hear(
    { before, after }: Readonly<Record<'before' | 'after', { account: number } | undefined>>,
    hear: (reading: AccountRead) => void,
  ): void {
    const account = (after ?? before)?.account
    for (const reading of this.#readings.get(account ?? -1) ?? []) {
      if (before !== undefined) reading.isLost = true
      hear(reading)
    }
  }
}

function sumsOf(change: SumsChange): MarketDaySums[] {
  if (change.after === undefined) return []
  return [addedSums(change.what === 'fill' ? { fill: change.after } : { payment: change.after })]
}
