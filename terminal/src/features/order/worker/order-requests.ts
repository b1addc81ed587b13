// Handles requests about orders, and shows the account's orders and positions.
import type { shapes } from 'openvenue'
import type { Handlers } from '../../../protocol/worker/requests.ts'
import { once } from '../../../protocol/worker/retry.ts'
import type { Poster } from '../../../protocol/worker/shown-sources.ts'
import type { AccountFeed } from '../../account/worker/account-feed.ts'
import type { SessionHolder } from '../../session/worker/session.ts'
import type { OrderRequests } from '../order-protocol.ts'
import type { SendCall } from './leverage-control.ts'
import { readLeverageOf } from './leverage-known.ts'
import { OrderEntry } from './order-entry.ts'
import { OrderNewsList } from './order-news.ts'
import type { OrderContext } from './order-plan.ts'
import { OwnOrders } from './own-orders.ts'
import { PlacedOrders } from './placed-orders.ts'

/** Markets, and the display of the account's orders. */
type MarketSource = Readonly<{
  marketNamed: (name: string) => shapes.Market | undefined
  orderContext: (name: string) => OrderContext | undefined
  showOwn: (orders: OwnOrders) => void
}>

type OrderRequestDeps = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  poster: Poster
  view: MarketSource
  feed: () => AccountFeed
  /** Registers a listener of positions, called when they or their marks change. */
  onPositions: (listener: (all: readonly shapes.PerpetualPosition[]) => void) => void
  send: SendCall
}>

export function orderHandlers(parts: OrderRequestDeps): Handlers<OrderRequests> {
  const { apiUrl, sessions, poster, view } = parts
  const news = new OrderNewsList((all) => poster.show('orderNews', all))
  const placed = new PlacedOrders(apiUrl, (all) => poster.show('placed', all))
  const ownOrders: OwnOrders = new OwnOrders({
    ...{ news, onChange: () => view.showOwn(ownOrders) },
    onOrder: (order) => placed.take(order),
  })
  parts.onPositions((positions) => ownOrders.takePositions(positions))
  sessions.onChange((session) => {
    placed.clear()
    ownOrders.use(session)
    poster.show('isTrading', session !== undefined)
  })
  const context = (market: string) => view.orderContext(market)
  const entry = new OrderEntry({ sessions, news, placed, context })
  const late = lateParts({ ...parts, context, news, placed, find: (id) => ownOrders.find(id) })
  return {
    checkOrder: (draft) => entry.check(draft),
    placeOrder: (draft) => entry.place(draft),
    sizeOrder: ({ draft, percent }) => entry.size(draft, percent),
    readEdit: async (edit) => (await late.edit()).read(edit),
    checkEdit: async (draft) => (await late.edit()).check(draft),
    placeEdit: async (draft) => (await late.edit()).place(draft),
    checkClose: async (close) => (await late.closing()).check(close),
    placeClose: async (close) => (await late.closing()).place(close),
    checkLeverage: async (change) => {
      const { market } = context(change.market) ?? {}
      if (change.leverage.trim() === '')
        return (await readLeverageOf(market, sessions.current)).view
      return (await late.leverage()).check(change)
    },
    setLeverage: async (change) => (await late.leverage()).set(change),
  }
}

type DialogContext = OrderRequestDeps &
  Readonly<{
    context: (market: string) => OrderContext | undefined
    news: OrderNewsList
    placed: PlacedOrders
    find: (id: string) => shapes.Order | undefined
  }>

/** Loads the code of dialogs with their first request. */
function lateParts(parts: DialogContext) {
  const { sessions, news, view, find, feed, context } = parts
  return {
    edit: once(async () => {
      const { OrderEdit } = await import('./order-edit.ts')
      const market = (name: string) => view.marketNamed(name)
      return new OrderEdit({ sessions, news, order: find, market })
    }),
    closing: once(async () => {
      const { PositionClosing } = await import('./position-closing.ts')
      // Uses its own order entry, so that the preview of the form is not aborted.
      return new PositionClosing(new OrderEntry(parts), { feed, context })
    }),
    leverage: once(async () => {
      const { LeverageControl } = await import('./leverage-control.ts')
      return new LeverageControl(parts)
    }),
  }
}
