// The form of a question of the page to its worker.
import type { shapes } from 'openvenue'

/** What the page sends and what comes back, both as structured clones. */
export type Question<Data, Answer> = Readonly<{ data: Data; answer: Answer }>

/** Why a question has no answer: the venue's refusal, or what else went wrong (`FAILED`). */
export type AskProblem = Readonly<{
  code: string
  message: string
  /** Member by member: rule, value and nearest legal value. */
  details: readonly shapes.FieldProblem[]
  /** How long the venue asks to wait. */
  retryAfterMs: number | undefined
}>

export type Asked = Readonly<{ kind: 'ask'; id: number; name: string; data: unknown }>
export type Answered = Readonly<
  { id: number; answer: unknown } | { id: number; problem: AskProblem }
>
