// Does one thing after another, and shows how far it is.
import { problemOf } from '../requests.ts'
import type { Step } from '../wallet/wallet-protocol.ts'

/** A step in words, and what does it. */
export type Task = readonly [text: string, work: () => Promise<unknown>]

/** Runs the tasks in their order; throws what the first one throws that fails. */
export async function runSteps(
  tasks: readonly Task[],
  show: (steps: readonly Step[]) => void,
): Promise<void> {
  let steps = tasks.map(
    ([text], at): Step => ({ id: `${at}`, text, state: 'waiting', problem: '' }),
  )
  const set = (at: number, change: Partial<Step>) => {
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

/** Of a tab that waits for another one. */
export const OTHER_TAB: Step = {
  id: 'tab',
  state: 'now',
  problem: '',
  text: 'Another tab of this page is at it: waiting for it',
}
