// Answers the page's questions: each by the handler of its name.
import { OpenvenueError, RefusedError } from 'openvenue'
import type { ChartRequests } from './market/chart-protocol.ts'
import type { Requests } from './protocol.ts'
import type { Answered, Asked, AskProblem } from './question.ts'
import type { FileRequests } from './tables/table-protocol.ts'

/** A part of the questions, each with what answers it. */
export type Handlers<Part = Requests> = {
  readonly [Name in keyof Part]: (
    data: Part[Name] extends { data: infer Data } ? Data : never,
  ) => Promise<Part[Name] extends { answer: infer Answer } ? Answer : never>
}

/** What is not of the market alone: it is loaded where it is needed. */
export type LateRequests = Omit<Requests, keyof ChartRequests | keyof FileRequests>

/** Returns the answer to a question, or why there is none. Never throws. */
export async function answerTo(
  load: () => Promise<Partial<Handlers>>,
  { id, name, data }: Asked,
): Promise<Answered> {
  try {
    const handlers = (await load()) as Record<string, (data: unknown) => Promise<unknown>>
    return { id, answer: await handlers[name]?.(data) }
  } catch (error) {
    return { id, problem: problemOf(error) }
  }
}

/** Returns an error as the page shows it. Its message names no key: those of the library do not. */
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

/** Errors of viem go on with the whole request: its first line says what is wrong. */
const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? message
