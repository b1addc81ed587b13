// Answers the page's questions: each by the handler of its name.
import { OpenvenueError, RefusedError } from 'openvenue'
import type { Requests } from './protocol.ts'
import type { Answered, Asked, AskProblem } from './question.ts'

/** A part of the questions, each with what answers it. */
export type Handlers<Part = Requests> = {
  readonly [Name in keyof Part]: (
    data: Part[Name] extends { data: infer Data } ? Data : never,
  ) => Promise<Part[Name] extends { answer: infer Answer } ? Answer : never>
}

/** Returns the answer to a question, or why there is none. Never throws. */
export async function answerTo(handlers: Handlers, asked: Asked): Promise<Answered> {
  const { id, name, data } = asked
  try {
    const handler = handlers[name as keyof Requests] as (data: unknown) => Promise<unknown>
    return { id, answer: await handler(data) }
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
