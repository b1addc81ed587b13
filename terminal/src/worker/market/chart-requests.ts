// Answers what the chart asks.
import type { Handlers } from '../requests.ts'
import type { ChartRequests } from './chart-protocol.ts'
import type { ChartView } from './chart-view.ts'

/** Returns what answers the questions about the chart. */
export const chartHandlers = (chart: ChartView): Handlers<ChartRequests> => ({
  describeCandle: async ({ time }) => chart.describe(time),
  readFunding: ({ market }) => chart.funding(market),
})
