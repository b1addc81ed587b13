// A channel of one account: it waits for the account's number, and tells in the order of the feed
// even where the database must be asked.
import type { OwnedReads } from '../../account/owned-reads.ts'
import type { Wallets } from '../../account/wallets.ts'
import type { Message, Publish, Stream } from '../channel.ts'
import type { Affected, AffectedAccount } from './affected.ts'
import { type FeedPosition, ReplayBuffer } from './replay-buffer.ts'
import type { StreamDeps } from './stream-deps.ts'

/** A snapshot that could not be read for everybody is tried again so often. */
const RETRY_MS = 1000
/** Things that wait to be told while the database is asked; beyond it a snapshot tells them. */
export const QUEUED_MAX = 1000

export type PrivateDeps = StreamDeps & Readonly<{ wallets: Wallets; owned: OwnedReads }>

/** An account that listens. `number` is undefined while the chain has none for the wallet. */
export type Owner = Readonly<{ wallet: string; account: number | undefined }>

/** What one message tells, or several about one entry. */
export type Told = Readonly<{
  type: 'update' | 'undo'
  datas: readonly string[]
  /** Where it stands, if not where the model stood. */
  at?: FeedPosition
}>

/** The data of a snapshot, as JSON; with where it stands, if not where the model stood when asked. */
export type SnapshotData = string | Readonly<{ data: string; at: FeedPosition }>

/** What one private channel does. Functions that return a promise may reject: then it is retried. */
export type PrivateSource = Readonly<{
  /**
   * Returns the data of a snapshot of where the model stands when it is called, as JSON. The model
   * has what the account owns, then as in `take`.
   */
  snapshot: (owner: Owner) => SnapshotData | Promise<SnapshotData>
  /** Returns what an entry changed. */
  take: (owner: Owner & { account: number }, affected: AffectedAccount) => Told[] | Promise<Told[]>
  tick?: (nowMs: number) => void
  close?: () => void
}>

export class PrivateStream {
  readonly buffer: ReplayBuffer
  readonly #deps: PrivateDeps
  readonly #wallet: string
  readonly #publish: Publish
  readonly #source: PrivateSource
  #account: number | undefined
  /** Whether `#account` is known to be right; from then on the channel tells. */
  #isReady = false
  #opening: Promise<void> | undefined
  /** The last thing to be told, in the order of the feed. */
  #queue: Promise<void> = Promise.resolve()
  #queued = 0
  #isLame = false
  /** The entry up to which a snapshot told everybody everything. */
  #wholeSeq = -1
  /** Whether a snapshot for everybody waits for its turn. */
  #isHealing = false
  /** Snapshots that are being read. */
  #reads = 0
  #retriedMs = Number.NEGATIVE_INFINITY
  #stops: (() => void)[] = []
  #stopAccount: (() => void) | undefined
  #unpin: (() => void) | undefined

  constructor(
    deps: PrivateDeps,
    { name, wallet, publish }: Readonly<{ name: string; wallet: string; publish: Publish }>,
    sourceOf: (stream: PrivateStream) => PrivateSource,
  ) {
    this.#deps = deps
    this.#wallet = wallet
    this.#publish = publish
    this.buffer = new ReplayBuffer(name, deps, publish)
    this.#source = sourceOf(this)
    const listener = {
      take: (affected: Affected) => this.#takeOpened(affected),
      reload: () => this.repeat(),
      tick: (nowMs: number) => this.#tick(nowMs),
    }
    this.#stops.push(deps.streams.add({ kind: 'wallet', wallet }, listener))
  }

  /** What the transports see of it. */
  get stream(): Stream {
    return {
      snapshot: () => this.#snapshot(),
      replay: (seq) => (this.#isReady && !this.#isLame ? this.buffer.replay(seq) : undefined),
      close: () => {
        this.#listenTo(undefined)
        this.#unpin?.()
        for (const stop of this.#stops) stop()
        this.#stops = []
        this.#source.close?.()
      },
    }
  }

  get owner(): Owner {
    return { wallet: this.#wallet, account: this.#account }
  }

  get #isClosed(): boolean {
    return this.#stops.length === 0
  }

  /** Whether a snapshot is being read. */
  get isReading(): boolean {
    return this.#reads > 0
  }

  /**
   * Tells, once everything before it is told, what `read` gives of the entry that stands now; or,
   * where it comes from elsewhere, what has no entry of its own.
   */
  tell(read: Promise<Told[]> | Told[], isOfEntry = true): void {
    // Nobody has a snapshot yet, or one will say it.
    if (!this.#isReady || this.#isLame) return
    if (this.#queued >= QUEUED_MAX) {
      this.repeat()
      return
    }
    const at = this.buffer.now
    if (this.#queued === 0 && !(read instanceof Promise)) {
      this.#say(read, at)
      return
    }
    this.#queued += 1
    const settled = Promise.resolve(read).catch(() => undefined)
    this.#queue = this.#queue.then(async () => {
      const told = await settled
      this.#queued -= 1
      if (told === undefined) this.repeat()
      // A snapshot for everybody has it: the database was ahead of the feed.
      else if (!isOfEntry || at.seq > this.#wholeSeq) this.#say(told, at)
    })
  }

  /** Tells everybody everything again, since something cannot be told or the model began anew. */
  repeat(): void {
    this.#isLame = true
  }

  #say(told: readonly Told[], now: FeedPosition): void {
    // A snapshot will say it.
    if (this.#isLame || this.#isClosed) return
    for (const { type, datas, at = now } of told) this.buffer.sendEach(type, datas, at)
  }

  async #snapshot(): Promise<readonly Message[]> {
    await this.#open()
    // What is being told is not told again after the snapshot.
    await this.#queue
    const message = await this.#read()
    // Nor is what the database had before it was told here.
    await this.#queue
    return [message]
  }

  async #read(): Promise<Message> {
    this.#reads += 1
    try {
      const { now, found } = await this.#deps.owned.look(this.owner, () => {
        this.#pin()
        return { now: this.buffer.now, found: this.#source.snapshot(this.owner) }
      })
      const told = await found
      const { data, at } = typeof told === 'string' ? { data: told, at: now } : told
      this.buffer.begin(at.seq)
      return this.buffer.written({ type: 'snapshot', data }, { ...at, prevSeq: null })
    } finally {
      this.#reads -= 1
    }
  }

  #open(): Promise<void> {
    if (this.#isReady) return Promise.resolve()
    this.#opening ??= this.#find().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #find(): Promise<void> {
    const account = await this.#deps.wallets.numberOf(this.#wallet)
    // The feed may have told meanwhile, or nobody listens any more.
    if (this.#isReady || this.#isClosed) return
    this.#isReady = true
    if (this.#account === undefined) this.#listenTo(account)
    this.buffer.restart()
  }

  #takeOpened({ opened }: Affected): void {
    for (const { before, after } of opened)
      if ((after ?? before)?.wallet === this.#wallet) this.#listenTo(after?.account)
  }

  #listenTo(account: number | undefined): void {
    this.#stopAccount?.()
    this.#stopAccount = undefined
    this.#account = account
    this.#pin()
    if (account === undefined) return
    this.#stopAccount = this.#deps.streams.add(
      { kind: 'account', account },
      { take: (affected) => this.#take(account, affected), reload: () => {} },
    )
  }

  /** What the account owns stays in the model while somebody listens. */
  #pin(): void {
    this.#unpin?.()
    this.#unpin = undefined
    if (this.#account === undefined || this.#isClosed) return
    this.#unpin = this.#deps.model.owned.pin(this.#account)
  }

  #take(account: number, { accounts }: Affected): void {
    const affected = accounts.get(account)
    if (!this.#isReady || affected === undefined) return
    if (!this.#deps.model.owned.has(account)) {
      // It was let go, or the model began anew.
      this.repeat()
      return
    }
    this.tell(this.#source.take({ wallet: this.#wallet, account }, affected))
  }

  #tick(nowMs: number): void {
    this.#source.tick?.(nowMs)
    if (!this.#isLame || !this.#isReady || this.#isHealing) return
    const monotonicMs = this.#deps.monotonicMs()
    if (monotonicMs - this.#retriedMs < RETRY_MS) return
    this.#retriedMs = monotonicMs
    this.#heal()
  }

  /** Reads a snapshot for everybody; what is told from then on waits for it. */
  #heal(): void {
    this.#queued += 1
    this.#isHealing = true
    this.#queue = this.#queue.then(async () => {
      this.#isHealing = false
      this.#isLame = false
      try {
        const message = await this.#read()
        this.buffer.restart(message.seq)
        this.#wholeSeq = message.seq
        if (!this.#isClosed) this.#publish(message)
      } catch {
        // Still lame: tried again after a while.
        this.#isLame = true
      } finally {
        this.#queued -= 1
      }
    })
  }
}
