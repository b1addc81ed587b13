// Answers what the page asks about orders, and has what is of the account shown.
import type { shapes } from 'openvenue'
import type { AccountFeed } from '../account/account-feed.ts'
import { OwnOrders } from '../account/own-orders.ts'
import type { SessionHolder } from '../account/session.ts'
import { once } from '../once.ts'
import type { Handlers } from '../requests.ts'
import type { Poster } from '../shown-sources.ts'
import type { VenueView } from '../venue-view.ts'
import type { SendCall } from './leverage-control.ts'
import { readLeverageOf } from './leverage-known.ts'
import { OrderEntry } from './order-entry.ts'
import { OrderNewsList } from './order-news.ts'
import type { OrderContext } from './order-plan.ts'
import type { OrderRequests } from './order-protocol.ts'
import { PlacedOrders } from './placed-orders.ts'

type Parts = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  poster: Poster
  view: VenueView
  /** Of the session that there is. */
  feed: () => AccountFeed
  /** Has a listener hear of the positions, whenever they or their marks have changed. */
  onPositions: (listener: (all: readonly shapes.PerpetualPosition[]) => void) => void
  /** Has the wallet send a call. */
  send: SendCall
}>

/** Returns what answers the questions about orders. */
export function orderHandlers(parts: Parts): Handlers<OrderRequests> {
  const { apiUrl, sessions, poster, view } = parts
  const news = new OrderNewsList((all) => poster.show('orderNews', all))
  const placed = new PlacedOrders(apiUrl, (all) => poster.show('placed', all))
  const own: OwnOrders = new OwnOrders({
    ...{ news, onChange: () => view.showOwn(own) },
    onOrder: (order) => placed.take(order),
  })
  parts.onPositions((positions) => own.takePositions(positions))
  sessions.onChange((session) => {
    placed.clear()
    own.use(session)
    poster.show('isTrading', session !== undefined)
  })
  const context = (market: string) => view.orderContext(market)
  const entry = new OrderEntry({ sessions, news, placed, context })
  const late = lateParts({ ...parts, context, news, placed, find: (id) => own.find(id) })
  return {
    checkOrder: (draft) => entry.check(draft),
    placeOrder: (draft) => entry.place(draft),
    sizeOrder: ({ draft, percent }) => entry.size(draft, percent),
    readEdit: async (asked) => (await late.edit()).read(asked),
    checkEdit: async (draft) => (await late.edit()).check(draft),
    placeEdit: async (draft) => (await late.edit()).place(draft),
    checkClose: async (asked) => (await late.closing()).check(asked),
    placeClose: async (asked) => (await late.closing()).place(asked),
    checkLeverage: async (asked) => {
      const { market } = context(asked.market) ?? {}
      if (asked.leverage.trim() === '') return (await readLeverageOf(market, sessions.current)).view
      return (await late.leverage()).check(asked)
    },
    setLeverage: async (asked) => (await late.leverage()).set(asked),
  }
}

type LateParts = Parts &
  Readonly<{
    context: (market: string) => OrderContext | undefined
    news: OrderNewsList
    placed: PlacedOrders
    find: (id: string) => shapes.Order | undefined
  }>

/** What a dialog asks is loaded with its first question. */
function lateParts(parts: LateParts) {
  const { sessions, news, view, find, feed, context } = parts
  return {
    edit: once(async () => {
      const { OrderEdit } = await import('./order-edit.ts')
      const market = (name: string) => view.marketNamed(name)
      return new OrderEdit({ sessions, news, order: find, market })
    }),
    closing: once(async () => {
      const { PositionClosing } = await import('./position-closing.ts')
      // A close is checked beside the form, whose own preview goes on.
      return new PositionClosing(new OrderEntry(parts), { feed, context })
    }),
    leverage: once(async () => {
      const { LeverageControl } = await import('./leverage-control.ts')
      return new LeverageControl(parts)
    }),
  }
}
