// Sends requests to the worker and waits for the answers.
import type { Requests } from './protocol.ts'
import type { AnswerMessage, AskProblem, RequestMessage } from './question.ts'

/** Sends a request by name. Throws an {@link AskError} if there is no answer. */
export type Ask = <Name extends keyof Requests>(
  name: Name,
  data: Requests[Name]['data'],
) => Promise<Requests[Name]['answer']>

export class AskError extends Error {
  override readonly name = 'AskError'
  readonly problem: AskProblem

  constructor(problem: AskProblem) {
    super(problem.message)
    this.problem = problem
  }
}

type PendingRequest = Readonly<{
  resolve: (answer: unknown) => void
  reject: (error: AskError) => void
}>

export class Asking {
  readonly #post: (request: RequestMessage) => void
  readonly #waiting = new Map<number, PendingRequest>()
  #id = 0

  constructor(post: (request: RequestMessage) => void) {
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

  take(answered: AnswerMessage): void {
    const waiting = this.#waiting.get(answered.id)
    this.#waiting.delete(answered.id)
    if ('problem' in answered) waiting?.reject(new AskError(answered.problem))
    else waiting?.resolve(answered.answer)
  }
}
