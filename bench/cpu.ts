// Reads how much processor time a child process has used: what a request costs when the machine is
// busy with other things.
import type { ChildProcess } from 'node:child_process'

const QUESTION = 'cpu'

/** In the child: answers each question with the microseconds used so far. */
export function answerCpuQuestions(): void {
  process.on('message', (message) => {
    if (message !== QUESTION) return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system })
  })
}

/** In the parent: returns the microseconds that `child` has used so far. */
export function readCpuMicros(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve((message as { cpuMicros: number }).cpuMicros))
    child.send(QUESTION)
  })
}
