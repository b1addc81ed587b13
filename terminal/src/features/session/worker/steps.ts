// Runs steps one after another, and shows their progress.
import { problemOf } from '../../../protocol/worker/requests.ts'
import type { TaskStep } from '../../wallet/wallet-protocol.ts'
import * as text from '../text.ts'

/** A step: its text, and its function. */
export type Task = readonly [text: string, work: () => Promise<unknown>]

/** Runs the tasks in order; rethrows the first error. */
export async function runSteps(
  tasks: readonly Task[],
  show: (steps: readonly TaskStep[]) => void,
): Promise<void> {
  let steps = tasks.map(
    ([label], at): TaskStep => ({ id: `${at}`, text: label, state: 'waiting', problem: '' }),
  )
  const set = (at: number, change: Partial<TaskStep>) => {
    steps = steps.map((step, index) => (index === at ? { ...step, ...change } : step))
    show(steps)
  }
  for (const [at, [, work]] of tasks.entries()) {
    set(at, { state: 'now' })
    try {
      await work()
    } catch (error) {
      set(at, { state: 'failed', problem: problemOf(error).message })
      throw error
    }
    set(at, { state: 'done' })
  }
}

/** The step shown while another tab is active. */
export const OTHER_TAB: TaskStep = {
  id: 'tab',
  state: 'now',
  problem: '',
  text: text.waitingForTab,
}
