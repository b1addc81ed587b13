// Runs a worker request of a button, and keeps its error.
import { createSignal } from 'solid-js'
import { type Ask, AskError } from '../protocol/asking.ts'
import type { Requests } from '../protocol/protocol.ts'
import type { AskProblem } from '../protocol/question.ts'

/** Sends a request to the worker; resolves with undefined when it failed. */
export type SendRequest = ReturnType<typeof createWorking>['work']

/** Returns an `ask` that never throws, and the problem of the last failed request. */
export function createWorking(ask: Ask) {
  const [problem, setProblem] = createSignal<AskProblem>()
  const [isBusy, setBusy] = createSignal(false)
  const work = async <Name extends keyof Requests>(
    name: Name,
    data: Requests[Name]['data'],
  ): Promise<Requests[Name]['answer'] | undefined> => {
    setProblem(undefined)
    setBusy(true)
    try {
      return await ask(name, data)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setProblem(error.problem)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { work, problem, isBusy }
}
