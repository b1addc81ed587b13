// Channels that a test controls completely: `wall` and `orderbook:X` are public, `mine` and `fills`
// are private. `news` and `fills` carry events.
import type { Caller } from '../src/identity/caller.ts'
import type {
  ChannelKind,
  Channels,
  Publish,
  Stream,
  StreamMessage,
} from '../src/sockets/streams/stream.ts'

export class TestChannels implements Channels {
  /** Returns the messages of the next snapshot; tests may replace it. */
  snapshot: (name: string) => readonly StreamMessage[] | Promise<readonly StreamMessage[]> = (
    name,
  ) => [message(name, this.seq, 'snapshot')]
  /** Messages that can be replayed. */
  held: readonly StreamMessage[] | undefined
  seq = 0
  /** Resolves when `fills` publishes everything. */
  ready: Promise<void> = Promise.resolve()
  /** Names that refuse to open. */
  readonly broken = new Set<string>()
  readonly open = new Map<string, Readonly<{ publish: Publish; account: string | undefined }>>()
  readonly opened: string[] = []
  readonly closed: string[] = []
  readonly #public: Set<string>

  constructor(names: readonly string[] = ['wall', 'orderbook:X', 'news']) {
    this.#public = new Set(names)
  }

  /** Adds a public channel. */
  add(name: string): void {
    this.#public.add(name)
  }

  find(name: string): ChannelKind | undefined {
    if (this.#public.has(name))
      return {
        isPrivate: false,
        isPerBlock: name.startsWith('orderbook:'),
        open: (publish) => this.#open(name, publish),
      }
    if (name === 'mine' || name === 'fills')
      return { isPrivate: true, open: (caller, publish) => this.#open(name, publish, caller) }
    return undefined
  }

  names(): readonly string[] {
    return [...this.#public, 'mine', 'fills']
  }

  /** Publishes to all subscribers; for a private channel only to `account`. */
  publish(name: string, payload: unknown, account?: string): void {
    this.seq += 1
    this.open.get(channelKey(name, account))?.publish(message(name, this.seq, payload))
  }

  #open(name: string, publish: Publish, caller?: Caller): Stream {
    if (this.broken.has(name)) throw new Error(`${name} is broken`)
    const key = channelKey(name, caller?.account)
    this.open.set(key, { publish, account: caller?.account })
    this.opened.push(key)
    const carriesEvents = name === 'news' || name === 'fills'
    return {
      carriesEvents,
      isResumed: name !== 'wall',
      seq: () => this.seq,
      ...(name === 'fills' ? { ready: () => this.ready } : {}),
      snapshot: () => this.snapshot(name),
      replay: (seq) => this.held?.filter((held) => held.seq > seq),
      close: () => {
        this.open.delete(key)
        this.closed.push(key)
      },
    }
  }
}

export const message = (channel: string, seq: number, data: unknown): StreamMessage => ({
  seq,
  isSnapshot: data === 'snapshot',
  text: JSON.stringify({ channel, seq, data }),
})

const channelKey = (name: string, account: string | undefined) =>
  account === undefined ? name : `${name} ${account}`
