// account, also called balances: the account object, sent again after anything that affects it.
import type { Header } from '@openvenue/core/events'
import type { AccountObject } from '@openvenue/wire/account'
import { blockTime } from '@openvenue/wire/channels'
import type { Overview, Overviews } from '../../account/overview.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { FeedPosition, Frame, PrivateChannel } from '../streams/channel.ts'

/** Minimum time between two messages of an account, ms. */
const OVERVIEW_INTERVAL_MS = 500

/** Maps a head block to the feed entry that made it the head; overviews name only the block. */
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

  /** Returns undefined for a block that was the head before the model was loaded. */
  seq(head: Header): number | undefined {
    return this.#seqs.get(head)
  }
}

type OverviewDeps = Readonly<{
  model: VenueModel
  overviews: Pick<Overviews, 'of'>
  heads: HeadSeqs
  clock: Readonly<{ monotonicMs: () => number }>
}>

/** Returns the channel of a wallet. Its messages never go back to an older state. */
export function accountChannel(deps: OverviewDeps, wallet: string): PrivateChannel {
  const { model, overviews, heads, clock } = deps
  /** The newest entry that affects the account and has not been sent. */
  let dueSeq: number | undefined
  let sentMs = Number.NEGATIVE_INFINITY
  let isReading = false
  const position = ({ head }: Overview): FeedPosition | undefined => {
    const seq = head === undefined ? model.seq : heads.seq(head)
    return seq === undefined ? undefined : { seq, blockNumber: head?.number ?? 0 }
  }
  const read = async (): Promise<readonly Frame[]> => {
    const overview = await overviews.of(wallet)
    const at = position(overview)
    // Cached from before the change: wait until it expires, then read again.
    if (at === undefined || dueSeq === undefined || at.seq < dueSeq) return []
    dueSeq = undefined
    sentMs = clock.monotonicMs()
    return [{ type: 'update', data: encode(overview), at }]
  }
  return {
    isWhole: true,
    subject: 'account',
    snapshot: async () => {
      const overview = await overviews.of(wallet)
      const at = position(overview) ?? { seq: 0, blockNumber: overview.head?.number ?? 0 }
      if (at.seq < model.seq) dueSeq ??= model.seq
      return { data: encode(overview), at }
    },
    onEntry: () => {
      dueSeq = model.seq
      return []
    },
    onTick: () => {
      if (dueSeq === undefined || isReading) return []
      if (clock.monotonicMs() - sentMs < OVERVIEW_INTERVAL_MS) return []
      isReading = true
      return read().finally(() => {
        isReading = false
      })
    },
  }
}

const encode = ({ head, object }: Overview) =>
  `{"timestamp":"${blockTime(head)}","account":${JSON.stringify(ownPart(object))}}`

/**
 * Removes market data that is the same for all accounts, several hundred bytes per market: only
 * leverages and fees of markets remain in which the account has a holding or its own setting.
 */
export function ownPart(object: AccountObject): AccountObject {
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
