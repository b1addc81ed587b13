// Answers the page's questions. It is loaded after the first book; what an account needs comes
// where one was saved, or with the first question that needs it.
import { AccountOpening } from './account/account-opening.ts'
import { chartHandlers } from './market/chart-requests.ts'
import type { Answered, Asked } from './question.ts'
import { answerTo, type Handlers } from './requests.ts'
import type { FileRequests } from './tables/table-protocol.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Returns what answers a question, and looks for the account of the last visit. */
export function makeAnswers(parts: WorkerParts): (asked: Asked) => Promise<Answered> {
  const open = { ...chartHandlers(parts.view.chart), ...FILES }
  const opening = new AccountOpening(parts)
  opening.begin()
  const handlersOf = async (name: string) => (name in open ? open : opening.load())
  return (asked) => answerTo(() => handlersOf(asked.name), asked)
}

const FILES: Handlers<FileRequests> = {
  writeTable: async (texts) => (await import('./tables/csv.ts')).csvOf(texts),
}
