// GET /candles, section 4.3.
import { nearestName } from '@openvenue/core/nearest-name'
import { Candles, CandlesQuery } from '@openvenue/wire/candles'
import type { Static } from '@openvenue/wire/field'
import { answer, answerOnce, answers } from '../http/answer.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { filled, findPeriods } from '../model/candle-fill.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketNames } from '../model/market-list.ts'
import type { VenueModel } from '../model/venue-model.ts'
import {
  type BodyQuery,
  barTexts,
  type CandleBar,
  CandleBodies,
  type CandleBody,
  type Format,
} from './candle-bodies.ts'
import {
  candlesMaxAge,
  findInstrument,
  firstNamed,
  rangeOr400,
  rangeWeight,
  resolutionOr400,
} from './candle-range.ts'
import { historyRoute } from './charting.ts'
import { instrumentNotFound, type Routes, TAGS } from './route.ts'

const REFUSES: readonly RefusalCode[] = [
  'INSTRUMENT_NOT_FOUND',
  'MISSING_PARAMETER',
  'UNSUPPORTED_RESOLUTION',
  'INVALID_TIME_RANGE',
  'HISTORY_UNAVAILABLE',
]

export const candleRoutes: Routes<'model' | 'clock' | 'reader' | 'fresh'> = (host, deps) => {
  const { model, clock } = deps
  const bodies = new CandleBodies(deps, () => host.responseCache.clear())
  historyRoute(host, deps, bodies)
  host.get(
    '/candles',
    {
      schema: {
        summary: 'Candles of a market',
        tags: TAGS.candles,
        querystring: CandlesQuery,
        response: answers(Candles),
      },
      config: { weight: rangeWeight(clock), refuses: REFUSES },
    },
    async (request, reply) => {
      const query = request.query as Static<typeof CandlesQuery>
      const { market } = instrumentOr404(model, firstNamed(query.instrument_name, query.symbol))
      const resolution = resolutionOr400(query.resolution)
      const range = rangeOr400(resolution, query)
      const barsRequest = { market, resolution, range, format: ITEMS }
      if (query.fill === 'previous') {
        // The chain's clock: a block may still add to a period that is over by the node's.
        const nowSeconds = model.head?.seconds ?? 0
        const { bytes, head } = await filledBody(bodies, barsRequest, nowSeconds)
        return answerOnce(reply, bytes, head, { maxAgeSeconds: candlesMaxAge(barsRequest, head) })
      }
      const source = bodies.source(barsRequest) ?? (await bodies.sourceRead(barsRequest))
      if (source !== undefined) return answer(request, reply, source)
      const { bytes, head } = await bodies.fromDatabase(barsRequest)
      return answerOnce(reply, bytes, head, { maxAgeSeconds: candlesMaxAge(barsRequest, head) })
    },
  )
}

const ITEMS: Format = { name: 'items', encode: (market, bars) => itemsText(market, bars) }

/** Items per joined chunk, so that few items are held as separate strings. */
const PIECE_ITEMS = 64

function itemsText(market: LiveMarket['market'], bars: Iterable<CandleBar>): string {
  const pieces: string[] = []
  let items: string[] = []
  for (const bar of bars) {
    items.push(barTexts(market, bar).item)
    if (items.length < PIECE_ITEMS) continue
    pieces.push(items.join(','))
    items = []
  }
  if (items.length > 0) pieces.push(items.join(','))
  return `[${pieces.join(',')}]`
}

async function filledBody(
  bodies: CandleBodies,
  { market, resolution, range }: BodyQuery,
  nowSeconds: number,
): Promise<CandleBody> {
  const periods = findPeriods(resolution, range, nowSeconds)
  const shown = { fromSeconds: periods.first, toSeconds: periods.last }
  const before = periods.first === undefined ? [] : [{ toSeconds: periods.first - 1, countback: 1 }]
  const read = await bodies.bars({ market, resolution }, [shown, ...before])
  const [bars = [], [carry] = []] = read.bars
  return { bytes: Buffer.from(itemsText(market, filled(bars, carry, periods))), head: read.head }
}

function instrumentOr404(model: VenueModel, text: string | undefined): LiveMarket {
  const live = text === undefined ? undefined : findInstrument(model, text)
  if (live === undefined) {
    const nearest = nearestName(marketNames(model), text ?? '')
    throw instrumentNotFound('instrument_name', text, nearest)
  }
  return live
}
