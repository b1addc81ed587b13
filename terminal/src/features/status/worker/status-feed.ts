// Polls the status of the venue: network and round trip always, the rest only while displayed.
import { ConnectionError, type Rest, type shapes, type VenueSocket } from 'openvenue'
import type { PageState } from '../../../protocol/protocol.ts'
import { loadPart, once, repeat } from '../../../protocol/worker/retry.ts'
import { showDecimal } from '../../../text/decimal-text.ts'
import { showLatency } from '../../../text/short-texts.ts'
import type { DaysBlock } from '../../market/worker/markets-feed.ts'
import { DEVNET } from '../../wallet/worker/wallet.ts'
import type { ConnectionWatch } from './connection-watch.ts'
import type { StatusFacts } from './status-view.ts'

const PING_EVERY_MS = 5_000
/** Shorter interval while there was no connection to measure. */
const PING_AGAIN_MS = 500
const INFO_EVERY_MS = 30_000
const STATUS_EVERY_MS = 3_000
const READY_MS_MAX = 4_000
const NS_PER_MS = 1_000_000n

/** The formatting code is loaded with the status page, which few users open. */
const loadView = once(async () => (await loadPart(() => import('./status-view.ts'))).viewStatus)

export type StatusSource = Readonly<{
  apiUrl: string
  rest: Rest
  socket: VenueSocket
  watch: ConnectionWatch
  /** Reads and publishes the venue's newest block. */
  readBlock: () => Promise<void>
  show: <Name extends keyof PageState>(name: Name, value: PageState[Name]) => void
}>

export class StatusFeed {
  readonly #source: StatusSource
  #isShown = false
  #info: shapes.VenueInfo | undefined
  #ready: shapes.Readiness | undefined
  #relay: shapes.Relay | undefined
  #ledger: StatusFacts['ledger']
  #pingMs: number | undefined
  #pingedMs = 0
  /** Offset of the venue's clock from the local clock. */
  #aheadMs = 0
  #blockMs: number | undefined
  #block = ''

  constructor(source: StatusSource) {
    this.#source = source
  }

  /** The venue's clock. Unix milliseconds. */
  get nowMs(): number {
    return Date.now() + this.#aheadMs
  }

  /** Records a block that the venue has reached. */
  sawBlock({ blockNumber, blockMs }: DaysBlock): void {
    this.#blockMs = blockMs
    this.#block = showDecimal(String(blockNumber))
  }

  follow(): readonly Promise<never>[] {
    return [
      repeat(() => this.#readInfo(), INFO_EVERY_MS),
      repeat(() => {
        const isDue = performance.now() - this.#pingedMs > PING_EVERY_MS
        return isDue || this.#pingMs === undefined ? this.#ping() : Promise.resolve()
      }, PING_AGAIN_MS),
      repeat(async () => {
        if (this.#isShown) await this.#readAll()
      }, STATUS_EVERY_MS),
    ]
  }

  /** Handles opening and leaving the status page. */
  async shown(isShown: boolean): Promise<void> {
    this.#isShown = isShown
    if (!isShown) return
    await this.#show()
    await this.#readAll()
  }

  async #readInfo(): Promise<void> {
    this.#info = await this.#source.rest.call('GET /info')
    const { name, trading } = this.#info.network
    this.#source.show('network', { name, isDevnet: name === DEVNET, trading })
    this.#relay = await this.#source.rest.call('GET /relay')
    this.#source.watch.blockMs = this.#relay.status?.block_ms ?? 0
  }

  async #ping(): Promise<void> {
    const { socket, show } = this.#source
    if (socket.state !== 'open') {
      this.#pingMs = undefined
    } else {
      const sentMs = performance.now()
      const { data } = await socket.ask('ping')
      this.#pingedMs = performance.now()
      this.#pingMs = this.#pingedMs - sentMs
      const { timestamp } = data as Readonly<{ timestamp: string }>
      const venueMs = Number(BigInt(timestamp) / NS_PER_MS) + this.#pingMs / 2
      this.#aheadMs = venueMs - Date.now()
    }
    show('latency', showLatency(this.#pingMs))
  }

  async #readAll(): Promise<void> {
    const { rest, readBlock } = this.#source
    const [ready, relay, page] = await Promise.allSettled([
      this.#readReady(),
      rest.call('GET /relay'),
      this.#readHead(),
      readBlock(),
    ])
    this.#ready = ready.status === 'fulfilled' ? ready.value : undefined
    if (relay.status === 'fulfilled') this.#relay = relay.value
    if (page.status === 'fulfilled') this.#ledger = page.value
    await this.#show()
  }

  /** The body is the same for 200 and 503: it lists what is not ready. */
  async #readReady(): Promise<shapes.Readiness | undefined> {
    const signal = AbortSignal.timeout(READY_MS_MAX)
    const url = `${this.#source.apiUrl.replace(/\/+$/, '')}/ready`
    const answer = await fetch(url, { signal })
    const body = (await answer.json()) as Partial<shapes.Readiness>
    if (body.checks === undefined) throw new ConnectionError('/ready is not that of a venue')
    return body as shapes.Readiness
  }

  async #readHead(): Promise<StatusFacts['ledger']> {
    const { rest } = this.#source
    const { head } = await rest.call('GET /relay/ledger', { query: { limit: 1 } })
    return head
  }

  async #show(): Promise<void> {
    const { watch, show } = this.#source
    const viewStatus = await loadView()
    const blockAgeMs = this.#blockMs === undefined ? undefined : this.nowMs - this.#blockMs
    const [info, ready, relay, ledger] = [this.#info, this.#ready, this.#relay, this.#ledger]
    const { state: connection, staleAfter, reorgs } = watch
    const pages = { connection, staleAfter, pingMs: this.#pingMs, reorgs }
    const facts = { info, ready, relay, ledger, ...pages, block: this.#block, blockAgeMs }
    show('status', viewStatus(facts))
  }
}
