// Answers what the page asks about orders, and has what is of the account shown.

import { OwnOrders } from '../account/own-orders.ts'
import type { SessionHolder } from '../account/session.ts'
import type { FramePoster } from '../frame-poster.ts'
import type { Handlers } from '../requests.ts'
import type { VenueView } from '../venue-view.ts'
import { OrderEntry } from './order-entry.ts'
import { OrderNewsList } from './order-news.ts'
import type { OrderRequests } from './order-protocol.ts'

type Parts = Readonly<{ sessions: SessionHolder; poster: FramePoster; view: VenueView }>

/** Returns what answers the questions about orders. */
export function orderHandlers({ sessions, poster, view }: Parts): Handlers<OrderRequests> {
  const news = new OrderNewsList((all) => poster.show('orderNews', all))
  const own: OwnOrders = new OwnOrders({ news, onChange: () => view.showOwn(own) })
  sessions.onChange((session) => {
    own.use(session)
    poster.show('isTrading', session !== undefined)
  })
  const entry = new OrderEntry({ sessions, news, context: () => view.orderContext() })
  return {
    checkOrder: (draft) => entry.check(draft),
    placeOrder: (draft) => entry.place(draft),
    sizeOrder: ({ draft, percent }) => entry.size(draft, percent),
  }
}
