// Asks the worker and waits for its answers.
import type { Requests } from './worker/protocol.ts'
import type { Answered, Asked, AskProblem } from './worker/question.ts'

/** Asks a question by its name. Throws an {@link AskError} where there is no answer. */
export type Ask = <Name extends keyof Requests>(
  name: Name,
  data: Requests[Name]['data'],
) => Promise<Requests[Name]['answer']>

/** Why a question has no answer. */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly problem: AskProblem

  constructor(problem: AskProblem) {
    super(problem.message)
    this.problem = problem
  }
}

type Waiting = Readonly<{
  resolve: (answer: unknown) => void
  reject: (error: AskError) => void
}>

/** Keeps who waits for which answer. */
export class Asking {
  readonly #post: (asked: Asked) => void
  readonly #waiting = new Map<number, Waiting>()
  #id = 0

  constructor(post: (asked: Asked) => void) {
    this.#post = post
  }

  readonly ask: Ask = (name, data) => {
    const id = ++this.#id
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
    })
    this.#post({ kind: 'ask', id, name, data })
    return answer as Promise<never>
  }

  /** Takes an answer of the worker. */
  take(answered: Answered): void {
    const waiting = this.#waiting.get(answered.id)
    this.#waiting.delete(answered.id)
    if ('problem' in answered) waiting?.reject(new AskError(answered.problem))
    else waiting?.resolve(answered.answer)
  }
}
