// Asks the worker for something that a button begins, and keeps what went wrong.
import { createSignal } from 'solid-js'
import { type Ask, AskError } from '../asking.ts'
import type { Requests } from '../worker/protocol.ts'
import type { AskProblem } from '../worker/question.ts'

/** Returns an `ask` that never throws, and the problem of the last one that failed. */
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
