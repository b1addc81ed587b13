// Two speak of the same: the venue's API and, while it is away, the chain. The page is shown one
// of both at a time, and changes from one to the other in one frame.
import type { FramePoster } from './frame-poster.ts'
import type { Shown } from './protocol.ts'
import { NO_ACCOUNT } from './tables/table-protocol.ts'

export type Show = <Name extends keyof Shown>(name: Name, value: Shown[Name]) => void
/** Where what is to be shown goes. */
export type Poster = Pick<FramePoster, 'show' | 'showLater'>

/** What both can say, each with what is shown where neither does. */
const BY_BOTH = {
  title: undefined,
  market: undefined,
  markets: undefined,
  book: undefined,
  trust: undefined,
  trades: [],
  fundingIn: '',
  own: { lines: [], marks: [] },
  isTrading: false,
  acting: '',
  account: NO_ACCOUNT,
  positions: [],
  orders: [],
} satisfies Partial<{ [Name in keyof Shown]: Shown[Name] | undefined }>
type Both = keyof typeof BY_BOTH
/** Of these nothing is better than what was so before. */
const OF_ACCOUNT: readonly string[] = ['account', 'positions', 'orders']

const isBoth = (name: string): name is Both => name in BY_BOTH

export class ShownSources implements Poster {
  readonly #poster: Poster
  /** The newest that the API said, of what both can say. */
  readonly #said = new Map<Both, () => unknown>()
  /** What of it came since the API is back. */
  readonly #fresh = new Set<string>()
  #isChain = false

  constructor(poster: Poster) {
    this.#poster = poster
  }

  /** The API says something. */
  readonly show: FramePoster['show'] = (name, value) => this.showLater(name, () => value)

  /** The same, made when it is posted. */
  readonly showLater: FramePoster['showLater'] = (name, make) => {
    if (isBoth(name)) {
      this.#said.set(name, make)
      this.#fresh.add(name)
      if (this.#isChain) return
    }
    this.#poster.showLater(name, make)
  }

  /** The chain says something. */
  readonly showChain: Show = (name, value) => {
    if (this.#isChain) this.#poster.show(name, value as never)
  }

  /** From now on the chain is shown; what only the API knows is shown as nothing. */
  useChain(): void {
    this.#isChain = true
    for (const name of ['trades', 'fundingIn', 'isTrading', 'acting'] as const)
      this.#poster.show(name, BY_BOTH[name] as never)
  }

  /** The API is back: what it says from now on is new. */
  awaitApi(): void {
    this.#fresh.clear()
  }

  hasFresh(name: string): boolean {
    return this.#fresh.has(name)
  }

  /** From now on the API is shown, with the newest of all that it said. */
  useApi(): void {
    this.#isChain = false
    for (const [name, nothing] of Object.entries(BY_BOTH)) {
      const isOld = OF_ACCOUNT.includes(name) && !this.#fresh.has(name)
      const make = isOld ? undefined : this.#said.get(name as Both)
      if (make !== undefined) this.#poster.showLater(name as Both, make as never)
      else if (nothing !== undefined) this.#poster.show(name as Both, nothing as never)
    }
  }
}
