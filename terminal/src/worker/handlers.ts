// Handles the page's requests. Loaded after the first book; account code is loaded if an account is
// stored, or with the first request that needs it.
import type { ChartRequests } from '../features/chart/chart-protocol.ts'
import type { ChartView } from '../features/chart/worker/chart-view.ts'
import type { FileRequests } from '../features/tables/table-protocol.ts'
import type { AnswerMessage, RequestMessage } from '../protocol/question.ts'
import { answerTo, type Handlers } from '../protocol/worker/requests.ts'
import { AccountOpening } from './account-opening.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Returns the request handler, and looks for the account of the last visit. */
export function makeAnswers(
  parts: WorkerParts,
): (request: RequestMessage) => Promise<AnswerMessage> {
  const open = { ...chartHandlers(parts.view.chart), ...FILES }
  const opening = new AccountOpening(parts)
  opening.begin()
  const handlersOf = async (name: string) => (name in open ? open : opening.load())
  return (request) => answerTo(() => handlersOf(request.name), request)
}

const FILES: Handlers<FileRequests> = {
  writeTable: async (texts) => (await import('../features/tables/worker/csv.ts')).csvOf(texts),
}

const chartHandlers = (chart: ChartView): Handlers<ChartRequests> => ({
  describeCandle: async ({ time }) => chart.describe(time),
  readFunding: ({ market }) => chart.funding(market),
})
