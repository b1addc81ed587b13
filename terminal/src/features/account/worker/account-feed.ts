// Follows the account's channels: positions, orders, fills and balances.
import {
  type ChannelMessage,
  OpenvenueError,
  type Rest,
  type shapes,
  type VenueSocket,
} from 'openvenue'
import type { Show } from '../../../protocol/worker/shown-sources.ts'
import { PAGE_ROWS } from '../../tables/table-protocol.ts'
import { viewAccount } from './account-view.ts'
import { viewBuyingPower } from './buying-power.ts'
import { fillRow, orderRow, positionRow } from './table-rows.ts'

/** Interval at which positions and equity are re-read: prices move them without a message. */
const MARKS_MS = 2_000
const LIVE: ReadonlySet<shapes.OrderStatus> = new Set([
  'opened',
  'partial',
  'pending',
  'stop_order',
])

/** Source of the account at current marks, read only while the page is visible. */
type MarkSource = Readonly<{
  rest: Pick<Rest, 'ask'>
  isSeen: () => boolean
  signal: AbortSignal
}>

/** Returns the decimals of a market's prices; undefined while unknown. */
type DigitsOf = (market: string) => number | undefined

type MarketLookup = Readonly<{
  digitsOf: DigitsOf
  /** The displayed market; undefined before one is chosen. */
  shown: () => shapes.Market | undefined
}>
type OnPositions = (positions: readonly shapes.PerpetualPosition[]) => void

export class AccountFeed {
  readonly #show: Show
  readonly #markets: MarketLookup
  readonly #onPositions: OnPositions
  #account: shapes.Account | undefined
  readonly #positions = new Map<string, shapes.PerpetualPosition>()
  readonly #orders = new Map<string, shapes.Order>()
  #fills: readonly shapes.Fill[] = []
  /** Block of the newest positions message. */
  #block = 0

  /** `onPositions` receives positions at the current marks. */
  constructor(show: Show, markets: MarketLookup, onPositions: OnPositions) {
    this.#show = show
    this.#markets = markets
    this.#onPositions = onPositions
  }

  /** Updates the buying power, which depends on the displayed market. */
  marketChosen(): void {
    if (this.#account !== undefined) this.takeAccount(this.#account)
  }

  takeAccount(account: shapes.Account): void {
    this.#account = account
    const buyingPower = viewBuyingPower(account, this.#markets.shown())
    this.#show('account', { ...viewAccount(account), buyingPower })
  }

  get positions(): readonly shapes.PerpetualPosition[] {
    return [...this.#positions.values()].sort((a, b) =>
      a.instrument_name < b.instrument_name ? -1 : 1,
    )
  }

  /** Newest first. */
  get orders(): readonly shapes.Order[] {
    return [...this.#orders.values()].sort((a, b) =>
      BigInt(a.created_timestamp) > BigInt(b.created_timestamp) ? -1 : 1,
    )
  }

  get fills(): readonly shapes.Fill[] {
    return this.#fills
  }

  /** Follows until the socket is closed or `signal` aborts. */
  async follow(socket: VenueSocket, signal?: AbortSignal): Promise<void> {
    const from = { socket, signal }
    await Promise.all([
      this.#each(from, 'positions', (message) => this.takePositions(message)),
      this.#each(from, 'orders', (message) => this.takeOrders(message)),
      this.#each(from, 'fills', (message) => this.takeFills(message)),
      this.#each(from, 'account', ({ data }) => this.takeAccount(data.account)),
    ])
  }

  /** Re-reads the account while it has positions and the page is visible, until `signal` aborts. */
  async followMarks(source: MarkSource): Promise<void> {
    while (!source.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, MARKS_MS))
      if (this.#positions.size === 0 || !source.isSeen()) continue
      await this.readMarks(source).catch((error: unknown) => {
        // The next round retries; until then the display keeps its last values.
        if (!source.signal.aborted && !(error instanceof OpenvenueError)) throw error
      })
    }
  }

  /** Shows equity and positions at current marks, unless a newer message arrived meanwhile. */
  async readMarks({ rest, signal }: MarkSource): Promise<void> {
    const { body, blockNumber } = await rest.ask('GET /account', {}, { signal })
    if (signal.aborted || blockNumber === undefined || blockNumber < this.#block) return
    this.#setPositions(body.positions, true)
    this.takeAccount(body)
  }

  async #each<Name extends 'positions' | 'orders' | 'fills' | 'account'>(
    { socket, signal }: Readonly<{ socket: VenueSocket; signal: AbortSignal | undefined }>,
    name: Name,
    take: (message: ChannelMessage<Name>) => void,
  ): Promise<void> {
    const options = { snapshot: true, ...(signal !== undefined && { signal }) }
    for await (const message of socket.subscribe(name, options)) take(message)
  }

  takePositions({ type, data, block_number }: ChannelMessage<'positions'>): void {
    this.#block = block_number
    this.#setPositions(data.positions, type === 'snapshot')
  }

  #setPositions(positions: ChannelMessage<'positions'>['data']['positions'], isAll: boolean): void {
    if (isAll) this.#positions.clear()
    for (const position of positions) {
      if (position.instrument_type !== 'PERPETUAL') continue
      if (position.amount === '0') this.#positions.delete(position.instrument_id)
      else this.#positions.set(position.instrument_id, position as shapes.PerpetualPosition)
    }
    this.#showPositions()
    this.#onPositions(this.positions)
  }

  #showPositions(): void {
    const rows = this.positions.map((position) => {
      const { instrument_name: market } = position
      const exits = this.orders.filter(
        (order) => order.stop && order.reduce_only && order.instrument_name === market,
      )
      return positionRow(position, this.digitsOf(market), exits)
    })
    this.#show('positions', rows)
  }

  /** Returns the decimals of a market's prices; undefined before it is known. */
  readonly digitsOf = (market: string): number | undefined => this.#markets.digitsOf(market)

  takeOrders({ type, data }: ChannelMessage<'orders'>): void {
    if (type === 'snapshot') this.#orders.clear()
    for (const order of data.orders) {
      if (LIVE.has(order.order_status)) this.#orders.set(order.order_id, order)
      else this.#orders.delete(order.order_id)
    }
    if (type === 'update') for (const id of data.removed ?? []) this.#orders.delete(id)
    this.#show('orders', this.orders.map(orderRow))
    if (this.#positions.size > 0) this.#showPositions()
  }

  takeFills(message: ChannelMessage<'fills'>): void {
    if (message.type === 'snapshot') this.#fills = message.data.fills
    else if (message.type === 'undo') {
      const { ids } = message.data
      this.#fills = this.#fills.filter(({ trade_id }) => !ids.includes(trade_id))
    } else this.#fills = [message.data.fill, ...this.#fills].slice(0, PAGE_ROWS)
    this.#show(
      'fills',
      this.#fills.map((fill) => fillRow(fill, this.digitsOf)),
    )
  }
}
