// Runs a channel of one wallet while it has subscribers: waits for the number of its account, and
// publishes in the order of the feed even where the database must be queried.
import type { OwnedReads } from '../../account/owned-reads.ts'
import type { Owner } from '../../account/owner.ts'
import type { Wallets } from '../../account/wallets.ts'
import type { Affected } from './affected.ts'
import type { FeedPosition, Frame, FramesSoon, PrivateChannel } from './channel.ts'
import type { StreamDeps } from './public-stream.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import type { Publish, ReplayResult, Stream, StreamMessage } from './stream.ts'

/** Pause before a failed broadcast snapshot is retried, ms. */
const RETRY_MS = 1000
/** Entries whose frames may wait for the database; beyond it a snapshot replaces them. */
export const QUEUED_MAX = 1000

type PrivateDeps = StreamDeps & Readonly<{ wallets: Wallets; owned: OwnedReads }>

/** Creates the channel of a wallet. `resync` sends a fresh snapshot to all subscribers. */
export type OpenPrivate = (wallet: string, resync: () => void) => PrivateChannel

export class PrivateStream implements Stream {
  readonly #deps: PrivateDeps
  readonly #wallet: string
  readonly #publish: Publish
  readonly #buffer: ReplayBuffer
  readonly #channel: PrivateChannel
  #account: number | undefined
  /** True once `#account` is known to be right; from then on the channel publishes. */
  #isReady = false
  #opening: Promise<void> | undefined
  /** The last publication, in the order of the feed. */
  #queue: Promise<void> = Promise.resolve()
  #queued = 0
  /** A frame could not be published, or the model was reloaded: a broadcast snapshot is due. */
  #isStale = false
  /** True while that snapshot is queued. */
  #isResyncing = false
  /** The entry of the last broadcast snapshot. */
  #resyncedSeq = -1
  /** Snapshots that are being read. */
  #reads = 0
  #retriedMs = Number.NEGATIVE_INFINITY
  #stops: (() => void)[] = []
  #stopAccount: (() => void) | undefined
  #unpin: (() => void) | undefined

  constructor(
    deps: PrivateDeps,
    { name, wallet, publish }: Readonly<{ name: string; wallet: string; publish: Publish }>,
    open: OpenPrivate,
  ) {
    this.#deps = deps
    this.#wallet = wallet
    this.#publish = publish
    this.#buffer = new ReplayBuffer(name, deps)
    this.#channel = open(wallet, () => this.resync())
    const opening = {
      onEntry: (affected: Affected) => this.#onOpened(affected),
      onLoad: () => this.resync(),
      onTick: (nowMs: number) => this.#onTick(nowMs),
    }
    this.#stops.push(deps.streams.add({ kind: 'wallet', wallet }, opening))
    if (this.#channel.subject === 'account') return
    const everything = { onEntry: (affected: Affected) => this.#onEntry(affected) }
    this.#stops.push(deps.streams.add({ kind: 'all' }, everything))
  }

  get carriesEvents(): boolean {
    return this.#channel.carriesEvents ?? false
  }

  seq(): number {
    return this.#buffer.seq
  }

  /** Finds the account, and loads its records into the model, as a snapshot does. */
  async ready(): Promise<void> {
    await this.#open()
    await this.#deps.owned.look(this.#owner, () => this.#pin())
  }

  async snapshot(): Promise<readonly StreamMessage[]> {
    await this.#open()
    // A message that is being published must not be sent again after the snapshot.
    await this.#queue
    const message = await this.#read()
    // Nor must rows that the database had before they were published here.
    await this.#queue
    return [message]
  }

  get isResumed(): boolean {
    return this.#channel.isWhole !== true
  }

  async reach(seq: number): Promise<void> {
    await this.ready()
    const { past } = this.#deps
    if (seq > this.#deps.model.seq || this.#held(seq) === undefined) await past.reach(seq)
  }

  replay(seq: number): ReplayResult | Promise<ReplayResult> {
    const buffered = this.#held(seq)
    const past = buffered === undefined && this.#isReady ? this.#deps.past.after(seq) : undefined
    if (past === undefined) return buffered
    const missed = this.#channel.missed?.(past, this.#owner)
    const rebuild = (frames: readonly Frame[] | undefined) =>
      frames && this.#buffer.rebuild(seq, frames)
    return missed instanceof Promise ? missed.then(rebuild) : rebuild(missed)
  }

  #held(seq: number): ReplayResult {
    return this.#isReady && !this.#isStale ? this.#buffer.replay(seq) : undefined
  }

  close(): void {
    this.#listenTo(undefined)
    this.#unpin?.()
    for (const stop of this.#stops) stop()
    this.#stops = []
    this.#buffer.clear()
    this.#channel.onClose?.()
  }

  /** Sends a fresh snapshot to all subscribers. */
  resync(): void {
    this.#isStale = true
  }

  get #isClosed(): boolean {
    return this.#stops.length === 0
  }

  get #owner(): Owner {
    return { wallet: this.#wallet, account: this.#account }
  }

  #onEntry(affected: Affected): void {
    if (this.#isReady) this.#enqueue(this.#channel.onEntry(affected, this.#owner), true)
  }

  #onAccount(account: number, affected: Affected): void {
    if (!this.#isReady) return
    // The account was evicted, or the model was reloaded.
    if (!this.#deps.model.owned.has(account)) this.resync()
    else if (this.#channel.subject === 'account') this.#onEntry(affected)
  }

  #onOpened({ opened }: Affected): void {
    for (const { before, after } of opened)
      if ((after ?? before)?.wallet === this.#wallet) this.#listenTo(after?.account)
  }

  #onTick(nowMs: number): void {
    const frames = this.#channel.onTick?.(nowMs, this.#reads > 0)
    if (frames !== undefined) this.#enqueue(frames, false)
    if (!this.#isStale || !this.#isReady || this.#isResyncing) return
    const monotonicMs = this.#deps.monotonicMs()
    if (monotonicMs - this.#retriedMs < RETRY_MS) return
    this.#retriedMs = monotonicMs
    this.#publishSnapshot()
  }

  /**
   * Publishes frames after everything before them. `isOfEntry`: they belong to the current entry;
   * otherwise to none.
   */
  #enqueue(frames: FramesSoon, isOfEntry: boolean): void {
    if (!(frames instanceof Promise) && frames.length === 0) return
    const settled = frames instanceof Promise ? frames.catch(() => undefined) : frames
    // There is no snapshot yet, or the next one will include it.
    if (!this.#isReady || this.#isStale) return
    if (this.#queued >= QUEUED_MAX) {
      this.resync()
      return
    }
    const { now } = this.#buffer
    if (this.#queued === 0 && !(settled instanceof Promise)) {
      this.#send(settled, now)
      return
    }
    this.#queued += 1
    this.#queue = this.#queue.then(async () => {
      const frames = await settled
      this.#queued -= 1
      if (frames === undefined) this.resync()
      // The last broadcast snapshot has it: the database was ahead of the feed.
      else if (!isOfEntry || now.seq > this.#resyncedSeq) this.#send(frames, now)
    })
  }

  #send(frames: readonly Frame[], now: FeedPosition): void {
    // The next snapshot will include it.
    if (this.#isStale || this.#isClosed) return
    for (const frame of frames) this.#publish(this.#buffer.add(frame, now))
  }

  /** Reads a broadcast snapshot; later publications wait for it. */
  #publishSnapshot(): void {
    this.#queued += 1
    this.#isResyncing = true
    this.#queue = this.#queue.then(async () => {
      this.#isResyncing = false
      this.#isStale = false
      try {
        const message = await this.#read()
        this.#buffer.restart(message.seq)
        this.#resyncedSeq = message.seq
        if (!this.#isClosed) this.#publish(message)
      } catch {
        // Still stale: retried after a pause.
        this.#isStale = true
      } finally {
        this.#queued -= 1
      }
    })
  }

  async #read(): Promise<StreamMessage> {
    this.#reads += 1
    try {
      const { now, found } = await this.#deps.owned.look(this.#owner, () => {
        this.#pin()
        return { now: this.#buffer.now, found: this.#channel.snapshot(this.#owner) }
      })
      const read = await found
      const { data, at } = typeof read === 'string' ? { data: read, at: now } : read
      this.#buffer.begin(at.seq)
      return this.#buffer.snapshotAt(data, at)
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
    const account = await this.#deps.wallets.accountNumber(this.#wallet)
    // The feed may have opened the account meanwhile, or the last subscriber may have left.
    if (this.#isReady || this.#isClosed) return
    this.#isReady = true
    if (this.#account === undefined) this.#listenTo(account)
    this.#buffer.restart()
  }

  #listenTo(account: number | undefined): void {
    this.#stopAccount?.()
    this.#stopAccount = undefined
    this.#account = account
    this.#pin()
    if (account === undefined) return
    this.#stopAccount = this.#deps.streams.add(
      { kind: 'account', account },
      { onEntry: (affected) => this.#onAccount(account, affected) },
    )
  }

  /** Keeps the records of the account in the model while the channel is open. */
  #pin(): void {
    this.#unpin?.()
    this.#unpin = undefined
    if (this.#account === undefined || this.#isClosed) return
    this.#unpin = this.#deps.model.owned.pin(this.#account)
  }
}
