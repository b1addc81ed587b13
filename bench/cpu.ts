// Reads the CPU time of a child process, which measures the cost of a request on a busy machine.
import type { ChildProcess } from 'node:child_process'

const QUESTION = 'cpu'

/** In the child: answers each question with the CPU time so far, in microseconds. */
export function answerCpuQuestions(): void {
  process.on('message', (message) => {
    if (message !== QUESTION) return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system })
  })
}

/** In the parent: returns the CPU time of `child` so far, in microseconds. */
export function readCpuMicros(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve((message as { cpuMicros: number }).cpuMicros))
    child.send(QUESTION)
  })
}
