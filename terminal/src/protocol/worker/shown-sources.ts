// Two sources provide the same data: the venue's API and, while it is down, the chain. The page
// shows one at a time, and switches in one frame.
import { NO_ACCOUNT } from '../../features/tables/table-protocol.ts'
import type { PageState } from '../protocol.ts'
import type { FramePoster } from './frame-poster.ts'

export type Show = <Name extends keyof PageState>(name: Name, value: PageState[Name]) => void
/** Receiver of displayed values. */
export type Poster = Pick<FramePoster, 'show' | 'showLater'>

/** Members of both sources, with their value while neither provides one. */
const BY_BOTH = {
  title: undefined,
  market: undefined,
  markets: undefined,
  book: undefined,
  trust: undefined,
  trades: [],
  fundingIn: '',
  ownMarks: { lines: [], marks: [] },
  isTrading: false,
  acting: '',
  account: NO_ACCOUNT,
  positions: [],
  orders: [],
} satisfies Partial<{ [Name in keyof PageState]: PageState[Name] | undefined }>
type SharedMember = keyof typeof BY_BOTH
/** Members that are cleared rather than kept when their source changes. */
const OF_ACCOUNT: readonly string[] = ['account', 'positions', 'orders']

const isBoth = (name: string): name is SharedMember => name in BY_BOTH

export class ShownSources implements Poster {
  readonly #poster: Poster
  /** The API's newest values of shared members. */
  readonly #said = new Map<SharedMember, () => unknown>()
  /** Members received since the API is back. */
  readonly #fresh = new Set<string>()
  #isChain = false

  constructor(poster: Poster) {
    this.#poster = poster
  }

  /** Takes a value of the API. */
  readonly show: FramePoster['show'] = (name, value) => this.showLater(name, () => value)

  /** The same, created when posted. */
  readonly showLater: FramePoster['showLater'] = (name, make) => {
    if (isBoth(name)) {
      this.#said.set(name, make)
      this.#fresh.add(name)
      if (this.#isChain) return
    }
    this.#poster.showLater(name, make)
  }

  /** Takes a value of the chain. */
  readonly showChain: Show = (name, value) => {
    if (this.#isChain) this.#poster.show(name, value as never)
  }

  /** Switches to the chain; members of the API only are cleared. */
  useChain(): void {
    this.#isChain = true
    for (const name of ['trades', 'fundingIn', 'isTrading', 'acting'] as const)
      this.#poster.show(name, BY_BOTH[name] as never)
  }

  /** The API is back: only values received from now on are fresh. */
  awaitApi(): void {
    this.#fresh.clear()
  }

  hasFresh(name: string): boolean {
    return this.#fresh.has(name)
  }

  /** Switches to the API, with its newest values. */
  useApi(): void {
    this.#isChain = false
    for (const [name, nothing] of Object.entries(BY_BOTH)) {
      const isOld = OF_ACCOUNT.includes(name) && !this.#fresh.has(name)
      const make = isOld ? undefined : this.#said.get(name as SharedMember)
      if (make !== undefined) this.#poster.showLater(name as SharedMember, make as never)
      else if (nothing !== undefined) this.#poster.show(name as SharedMember, nothing as never)
    }
  }
}
