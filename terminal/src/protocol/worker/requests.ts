// Dispatches the page's requests to their handlers.
import { OpenvenueError, RefusedError } from 'openvenue'
import type { ChartRequests } from '../../features/chart/chart-protocol.ts'
import type { FileRequests } from '../../features/tables/table-protocol.ts'
import type { Requests } from '../protocol.ts'
import type { AnswerMessage, AskProblem, RequestMessage } from '../question.ts'

/** Some of the requests, with their handlers. */
export type Handlers<Part = Requests> = {
  readonly [Name in keyof Part]: (
    data: Part[Name] extends { data: infer Data } ? Data : never,
  ) => Promise<Part[Name] extends { answer: infer Answer } ? Answer : never>
}

/** Requests beyond market data, whose handlers are loaded on demand. */
export type LateRequests = Omit<Requests, keyof ChartRequests | keyof FileRequests>

/** Returns the answer to a request, or its problem. Never throws. */
export async function answerTo(
  load: () => Promise<Partial<Handlers>>,
  { id, name, data }: RequestMessage,
): Promise<AnswerMessage> {
  try {
    const handlers = (await load()) as Record<string, (data: unknown) => Promise<unknown>>
    return { id, answer: await handlers[name]?.(data) }
  } catch (error) {
    return { id, problem: problemOf(error) }
  }
}

/** Returns the displayed problem of an error. Library messages contain no keys. */
export function problemOf(error: unknown): AskProblem {
  const nothing = { details: [], retryAfterMs: undefined }
  if (error instanceof RefusedError) {
    const { code, details, retryAfterMs } = error
    return { code, message: error.message.replace(`${code}: `, ''), details, retryAfterMs }
  }
  if (error instanceof OpenvenueError)
    return { code: error.name, message: error.message, ...nothing }
  if (error instanceof Error) return { code: 'FAILED', message: firstLine(error), ...nothing }
  return { code: 'FAILED', message: String(error), ...nothing }
}

/** Messages of viem errors continue with the whole request; the first line has the reason. */
const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? message
