// Begins the worker: the page asks by messages, and hears of what has changed.
import { accountHandlers } from './account-requests.ts'
import { FramePoster } from './frame-poster.ts'
import { orderHandlers } from './order-requests.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { answerTo, type Handlers } from './requests.ts'
import { SessionHolder } from './session.ts'
import { VenueView } from './venue-view.ts'

const poster = new FramePoster()
let view: VenueView | undefined
let handlers: Handlers | undefined

function open(apiUrl: string, market: string | undefined): void {
  const sessions = new SessionHolder()
  view = new VenueView(apiUrl, poster)
  handlers = { ...accountHandlers(sessions), ...orderHandlers({ sessions, poster, view }) }
  view.open(market)
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      return open(data.apiUrl, data.market)
    case 'market':
      return view?.choose(data.market)
    case 'group':
      return view?.group(data.at)
    case 'resolution':
      return view?.resolution(data.resolution)
    case 'older':
      return view?.older(data.before)
    case 'visible':
      return poster.visible(data.isVisible)
    case 'ask':
      if (handlers !== undefined)
        void answerTo(handlers, data).then((answered) =>
          postMessage({ answered } satisfies FromWorker),
        )
  }
})
