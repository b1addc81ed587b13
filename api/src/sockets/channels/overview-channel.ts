// account, also called balances: the account object, again after anything that affects it.
import type { Header } from '@openvenue/core/events'
import type { AccountObject } from '@openvenue/wire/account'
import { blockTime } from '@openvenue/wire/channels'
import type { Overview, Overviews } from '../../account/overview.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { PrivateSource, PrivateStream, Told } from './private-stream.ts'
import type { FeedPosition } from './replay-buffer.ts'

/** At most one message of an account in so many milliseconds. */
export const OVERVIEW_INTERVAL_MS = 500

/** Which entry of the feed made a block the head: an overview names only the block. */
export class HeadSeqs {
  readonly #seqs = new WeakMap<Header, number>()

  constructor(model: VenueModel) {
    const take = () => {
      if (model.head !== undefined) this.#seqs.set(model.head, model.seq)
    }
    model.onLoad(take)
    model.onEntry(take)
    take()
  }

  /** Returns undefined for a block that was the head before the model began. */
  of(head: Header): number | undefined {
    return this.#seqs.get(head)
  }
}

type OverviewDeps = Readonly<{
  model: VenueModel
  overviews: Pick<Overviews, 'of'>
  heads: HeadSeqs
  monotonicMs: () => number
}>

/** Returns the source of an account's channel. What it tells is never older than what it told. */
export function overviewSource(deps: OverviewDeps, stream: PrivateStream): PrivateSource {
  const { model, overviews, heads, monotonicMs } = deps
  /** The newest entry that affects the account and is not sent yet. */
  let dueSeq: number | undefined
  let toldMs = Number.NEGATIVE_INFINITY
  let isReading = false
  const atOf = ({ head }: Overview): FeedPosition | undefined => {
    const seq = head === undefined ? model.seq : heads.of(head)
    return seq === undefined ? undefined : { seq, blockNumber: head?.number ?? 0 }
  }
  const read = async (): Promise<Told[]> => {
    const overview = await overviews.of(stream.owner.wallet)
    const at = atOf(overview)
    // Read before the account changed: it is kept for a moment, then read again.
    if (at === undefined || dueSeq === undefined || at.seq < dueSeq) return []
    dueSeq = undefined
    toldMs = monotonicMs()
    return [{ type: 'update', datas: [dataOf(overview)], at }]
  }
  return {
    snapshot: async ({ wallet }) => {
      const overview = await overviews.of(wallet)
      const at = atOf(overview) ?? { seq: 0, blockNumber: overview.head?.number ?? 0 }
      if (at.seq < model.seq) dueSeq ??= model.seq
      return { data: dataOf(overview), at }
    },
    take: () => {
      dueSeq = model.seq
      return []
    },
    tick: () => {
      if (dueSeq === undefined || isReading) return
      if (monotonicMs() - toldMs < OVERVIEW_INTERVAL_MS) return
      isReading = true
      const reading = read().finally(() => {
        isReading = false
      })
      stream.tell(reading, false)
    },
  }
}

const dataOf = ({ head, object }: Overview) =>
  `{"timestamp":"${blockTime(head)}","account":${JSON.stringify(ownPartOf(object))}}`

/**
 * Leaves out what says of every market what is the same for everybody, several hundred bytes each:
 * of leverages and fees stay those of markets in which the account holds or has chosen something.
 */
export function ownPartOf(object: AccountObject): AccountObject {
  const names = new Set(object.positions.map(({ instrument_name }) => instrument_name))
  const assets = new Set([
    ...object.positions.map(({ asset }) => asset),
    ...object.collaterals.map(({ collateral_asset }) => collateral_asset),
  ])
  return {
    ...object,
    leverages: object.leverages.filter(
      ({ instrument_name, leverage, max_leverage }) =>
        names.has(instrument_name) || leverage !== max_leverage,
    ),
    fee_structures: object.fee_structures.filter(({ asset }) => assets.has(asset)),
  }
}
