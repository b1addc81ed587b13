// Answers what the page asks about orders, and has what is of the account shown.
import type { AccountFeed } from '../account/account-feed.ts'
import { OwnOrders } from '../account/own-orders.ts'
import type { SessionHolder } from '../account/session.ts'
import type { Handlers } from '../requests.ts'
import type { Poster } from '../shown-sources.ts'
import type { VenueView } from '../venue-view.ts'
import { closingDraft } from './closing.ts'
import { LeverageControl, type SendCall } from './leverage-control.ts'
import { OrderEdit } from './order-edit.ts'
import { OrderEntry } from './order-entry.ts'
import { OrderNewsList } from './order-news.ts'
import type { CloseAsked, OrderRequests } from './order-protocol.ts'
import { PlacedOrders } from './placed-orders.ts'

type Parts = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  poster: Poster
  view: VenueView
  /** Of the session that there is. */
  feed: () => AccountFeed
  /** Has the wallet send a call. */
  send: SendCall
}>

/** Returns what answers the questions about orders. */
export function orderHandlers(parts: Parts): Handlers<OrderRequests> {
  const { apiUrl, sessions, poster, view, feed, send } = parts
  const news = new OrderNewsList((all) => poster.show('orderNews', all))
  const placed = new PlacedOrders(apiUrl, (all) => poster.show('placed', all))
  const own: OwnOrders = new OwnOrders({
    ...{ news, onChange: () => view.showOwn(own) },
    onOrder: (order) => placed.take(order),
  })
  sessions.onChange((session) => {
    placed.clear()
    own.use(session)
    poster.show('isTrading', session !== undefined)
  })
  const context = (market: string) => view.orderContext(market)
  const entry = new OrderEntry({ sessions, news, placed, context })
  // A close is checked beside the form, whose own preview goes on.
  const closing = new OrderEntry({ sessions, news, placed, context })
  const closed = (asked: CloseAsked) => closingDraft(asked, feed().positions, context(asked.market))
  const leverage = new LeverageControl({ sessions, feed, send, context })
  const edit = new OrderEdit({
    ...{ sessions, news },
    order: (id) => own.find(id),
    market: (name) => view.marketNamed(name),
  })
  return {
    readEdit: async (asked) => edit.read(asked),
    checkEdit: (draft) => edit.check(draft),
    placeEdit: (draft) => edit.place(draft),
    checkOrder: (draft) => entry.check(draft),
    placeOrder: (draft) => entry.place(draft),
    sizeOrder: ({ draft, percent }) => entry.size(draft, percent),
    checkClose: async (asked) => closing.check(closed(asked)),
    placeClose: async (asked) => closing.place(closed(asked)),
    checkLeverage: (asked) => leverage.check(asked),
    setLeverage: (asked) => leverage.set(asked),
  }
}
