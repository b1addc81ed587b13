// Channel of an account's rows: the newest from the database, then each row that the feed brings.
import type { Header } from '@openvenue/core/events'
import type { BlockRead, ReadFrom } from '@openvenue/store/db/block-read'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import { blockTime } from '@openvenue/wire/channels'
import type { Owner } from '../../account/owner.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected, AffectedAccount } from '../streams/affected.ts'
import { type Frame, framesAt, type PrivateChannel, separateFrames } from '../streams/channel.ts'

/** Rows of a snapshot. */
export const SNAPSHOT_ROWS = 50
/** An end of the range after every block. */
export const END_OF_TIME_S = 1e12

/** How rows of one kind are read and encoded. */
type RowKind<T> = Readonly<{
  /** Member of the snapshot that holds them. */
  member: string
  changes: (
    own: AffectedAccount,
  ) => readonly Readonly<{ before: T | undefined; after: T | undefined }>[]
  /** The newest rows of an account, newest first, at most SNAPSHOT_ROWS. */
  read: (account: number, from: ReadFrom) => Promise<BlockRead<readonly T[]>>
  /** Encodes the rows; leaves out rows of markets or tokens that are gone. */
  encode: (owner: Owner, rows: readonly T[]) => object[] | Promise<object[]>
  /** The data of an update that brings one, in the block of `head`. */
  wrap?: (item: object, head: Header | undefined) => object
}>

export type RowsDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  fresh: FreshReads
}>

export function rowsChannel<T extends Readonly<{ id: string }>>(
  { model, fresh }: RowsDeps,
  { member, changes, read, encode, wrap = (item: object) => item }: RowKind<T>,
): PrivateChannel {
  const updates = (items: readonly object[], head: Header | undefined) =>
    separateFrames(
      'update',
      items.map((item) => JSON.stringify(wrap(item, head))),
    )
  const framesOf = (
    { accounts }: Affected,
    owner: Owner,
    head: Header | undefined,
  ): readonly Frame[] | Promise<readonly Frame[]> => {
    const affected = owner.account === undefined ? undefined : accounts.get(owner.account)
    if (affected === undefined) return []
    const undone = changes(affected).flatMap(({ before }) => before ?? [])
    const added = changes(affected).flatMap(({ after }) => after ?? [])
    const undo = undoFrames(undone.map(({ id }) => id))
    if (added.length === 0) return undo
    const items = encode(owner, added)
    if (items instanceof Promise) return items.then((rows) => [...undo, ...updates(rows, head)])
    return [...undo, ...updates(items, head)]
  }
  return {
    carriesEvents: true,
    subject: 'account',
    snapshot: async (owner) => {
      const { account } = owner
      if (account === undefined)
        return JSON.stringify({ timestamp: blockTime(model.head), [member]: [] })
      // The channel continues from the view of the read, so that no row between the two is lost.
      const { seq, head, rows } = await readAll(model, () =>
        fresh.readCaughtUp((from) => read(account, from)),
      )
      const items = await encode(owner, rows)
      const data = JSON.stringify({ timestamp: blockTime(head), [member]: items })
      return { data, at: { seq, blockNumber: head?.number ?? 0 } }
    },
    onEntry: (affected, owner) => framesOf(affected, owner, model.head),
    missed: async ({ entries }, owner) => {
      const frames: Frame[] = []
      const ownerEntries = entries.filter(({ affected }) =>
        affected.accounts.has(owner.account ?? -1),
      )
      for (const entry of ownerEntries)
        frames.push(...framesAt(entry, await framesOf(entry.affected, owner, entry.header)))
      return frames
    },
  }
}

const undoFrames = (ids: readonly string[]): readonly Frame[] =>
  ids.length === 0 ? [] : [{ type: 'undo', data: JSON.stringify({ ids }) }]

/** Reads again when a market was listed meanwhile, because rows are selected by market. */
async function readAll<T>({ versions }: VenueModel, read: () => Promise<T>): Promise<T> {
  for (;;) {
    const { listing } = versions
    const rows = await read()
    if (listing === versions.listing) return rows
  }
}
