// Folds the frames of channels like a user: to a book with a valid checksum, and to rows without
// gaps or duplicates.
import { crc32 } from 'node:zlib'
import type { ChannelFrame, Fold } from './channel.ts'

type LevelRow = readonly [price: string, amount: string, orders: string]
type SideName = 'bids' | 'asks'

/** Number of blocks whose books are kept, to be compared with REST. */
const BOOKS_KEPT = 200
const CHECKED_LEVELS = 100

/** A book after each of the newest blocks. */
export class Book implements Fold {
  readonly #levels = { bids: new Map<string, LevelRow>(), asks: new Map<string, LevelRow>() }
  /** Its levels as text, by block. */
  readonly texts = new Map<number, string>()
  wrongChecksums = 0

  snapshot(frame: ChannelFrame): void {
    this.#levels.bids.clear()
    this.#levels.asks.clear()
    this.update(frame)
  }

  undo(frame: ChannelFrame): void {
    this.update(frame)
  }

  update({ data, block_number }: ChannelFrame): void {
    for (const side of ['bids', 'asks'] as const)
      for (const level of data[side] as LevelRow[])
        if (level[1] === '0') this.#levels[side].delete(level[0])
        else this.#levels[side].set(level[0], level)
    const [bids, asks] = [this.#best('bids'), this.#best('asks')]
    if (checksum(bids, asks) !== data.checksum) this.wrongChecksums += 1
    this.texts.set(block_number, bookText(bids, asks))
    for (const block of this.texts.keys())
      if (this.texts.size > BOOKS_KEPT) this.texts.delete(block)
  }

  #best(side: SideName): LevelRow[] {
    const sign = side === 'bids' ? -1 : 1
    return [...this.#levels[side].values()].sort(([a], [b]) => sign * (Number(a) - Number(b)))
  }
}

/** Returns levels as a text that is equal for equal books. */
export const bookText = (
  bids: readonly (readonly string[])[],
  asks: readonly (readonly string[])[],
) =>
  [bids, asks]
    .map((side) => side.map(([price, amount]) => `${price}:${amount}`).join(' '))
    .join(' | ')

function checksum(bids: readonly LevelRow[], asks: readonly LevelRow[]): string {
  const parts: string[] = []
  for (let index = 0; index < CHECKED_LEVELS; index++)
    for (const level of [bids[index], asks[index]])
      if (level !== undefined) parts.push(level[0], level[1])
  return String(crc32(parts.join(':')))
}

type RowsOptions = Readonly<{
  /** Returns the ids in a snapshot, newest first. */
  inSnapshot(frame: ChannelFrame): readonly string[]
  inUpdate(frame: ChannelFrame): string
  /** Reads the newest ids over REST, after a snapshot that does not reach back far enough. */
  fillIn(): Promise<readonly string[]>
}>

/** Ids of trades or fills: `block-log`, so that text order is chain order. */
export class Rows implements Fold {
  readonly ids = new Set<string>()
  readonly #options: RowsOptions
  doubled: string[] = []
  /** Blocks up to this one came before the first subscription. */
  sinceBlock: number | undefined
  /** Set while rows are read over REST. */
  filling: Promise<void> = Promise.resolve()

  constructor(options: RowsOptions) {
    this.#options = options
  }

  /** True once its first snapshot has arrived. */
  get isBegun(): boolean {
    return this.sinceBlock !== undefined
  }

  snapshot(frame: ChannelFrame): void {
    const isFirst = this.sinceBlock === undefined
    this.sinceBlock ??= frame.block_number
    // Rows undone meanwhile are dropped: the snapshot is authoritative.
    const shown = this.#options.inSnapshot(frame)
    this.#replaceFrom(shown)
    const { block_number: block } = frame
    if (!isFirst) this.filling = this.filling.then(() => this.#fillIn(block))
  }

  update(frame: ChannelFrame): void {
    const id = this.#options.inUpdate(frame)
    if (this.ids.has(id)) this.doubled.push(id)
    this.ids.add(id)
  }

  undo({ data }: ChannelFrame): void {
    for (const id of data.ids as string[]) this.ids.delete(id)
  }

  /** Takes rows up to `block`; later ones come by updates. */
  async #fillIn(block: number): Promise<void> {
    const newest = (await this.#options.fillIn()).filter((id) => blockInId(id) <= block)
    for (const id of newest) this.ids.add(id)
  }

  /** Within the time covered by `shown`, only its rows count. */
  #replaceFrom(shown: readonly string[]): void {
    const oldest = shown.at(-1)
    if (oldest !== undefined) for (const id of this.ids) if (id >= oldest) this.ids.delete(id)
    for (const id of shown) this.ids.add(id)
  }
}

/** Returns the block of a trade or a fill. */
export const blockInId = (id: string) => Number(id.slice(0, id.indexOf('-')))
