// Begins the worker: the page asks by messages, and hears of what has changed.
import type { ToWorker } from './protocol.ts'
import { VenueView } from './venue-view.ts'

let view: VenueView | undefined
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      view = new VenueView(data.apiUrl)
      view.open(data.market)
      return
    case 'market':
      return view?.choose(data.market)
    case 'group':
      return view?.group(data.at)
    case 'resolution':
      return view?.resolution(data.resolution)
    case 'older':
      return view?.older(data.before)
    case 'visible':
      return view?.visible(data.isVisible)
  }
})
