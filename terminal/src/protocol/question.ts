// The type of a request from the page to its worker.
import type { shapes } from 'openvenue'

/** Parameters and result, both as structured clones. */
export type Question<Data, Answer> = Readonly<{ data: Data; answer: Answer }>

/** Why a request has no answer: the venue's refusal, or another failure (`FAILED`). */
export type AskProblem = Readonly<{
  code: string
  message: string
  /** Per member: rule, value and nearest legal value. */
  details: readonly shapes.FieldProblem[]
  /** Wait time requested by the venue. */
  retryAfterMs: number | undefined
}>

export type RequestMessage = Readonly<{ kind: 'ask'; id: number; name: string; data: unknown }>
export type AnswerMessage = Readonly<
  { id: number; answer: unknown } | { id: number; problem: AskProblem }
>
