// statistics:<asset>:<TYPE>: the answer of GET /statistics, as it changes. Its 24-hour window moves
// by the minute.
import type { Market } from '@openvenue/core/records'
import { encodeStatistics } from '@openvenue/wire/statistics'
import { marketFacts } from '../../model/statistics.ts'
import type { AffectedMarket } from '../streams/affected.ts'
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { ChangingText } from './changing-text.ts'
import { Pace } from './pace.ts'

/** Limited because statistics are long and change with every block of a busy market. */
const STATISTICS_INTERVAL_MS = 500

export function statisticsChannel(deps: StreamDeps, { id }: Market): PublicChannel {
  const { model, nowMs, monotonicMs } = deps
  let lastText = 'null'
  const statistics = new ChangingText(() => {
    const live = model.market(id)
    if (live === undefined) return lastText
    lastText = JSON.stringify(
      encodeStatistics(marketFacts(model, live, Math.floor(nowMs() / 1000))),
    )
    return lastText
  })
  const pace = new Pace(STATISTICS_INTERVAL_MS, monotonicMs, () => statistics.changes())
  let minute = clockMinute(nowMs())
  return {
    subject: { kind: 'market', id },
    snapshot: () => statistics.snapshot(),
    onEntry: ({ markets }) => {
      const market = markets.get(id)
      return market !== undefined && affectsStatistics(market) ? pace.changed() : []
    },
    onTick: (nowMs) => {
      if (clockMinute(nowMs) === minute) return pace.tick()
      minute = clockMinute(nowMs)
      return pace.changed()
    },
    onReset: () => {
      pace.rest()
      statistics.reset()
    },
  }
}

const clockMinute = (nowMs: number) => Math.floor(nowMs / 60_000)

const affectsStatistics = ({ isFacts, levels, trades, undone, candles }: AffectedMarket) =>
  isFacts || levels.size + trades.length + undone.length + candles.length > 0
