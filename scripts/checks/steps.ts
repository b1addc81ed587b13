// Runs the steps of a check, each a command, and reports how long each took.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

export type CheckStep = readonly [name: string, command: string, ...args: string[]]
export type StepRun = Readonly<{ name: string; status: number; seconds: string; output: string }>

const MS = 1000

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
export const secondsSince = (startedMs: number) => ((performance.now() - startedMs) / MS).toFixed(1)

/** Runs a step; what it prints is shown at once or given back. */
export async function runStep(
  [name, command, ...args]: CheckStep,
  isShown: boolean,
): Promise<StepRun> {
  const startedMs = performance.now()
  const child = spawn(command, args, { stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let status: number | null = null
  try {
    ;[status] = (await once(child, 'close')) as [number | null]
  } catch (error) {
    output += `${command} does not start: ${(error as Error).message}\n`
  }
  return { name, status: status ?? 1, seconds: secondsSince(startedMs), output }
}

/** Runs all steps, as many at a time as there are cores, and returns those that failed. */
export async function runTogether(steps: readonly CheckStep[]): Promise<StepRun[]> {
  const queue = [...steps]
  const failed: StepRun[] = []
  const work = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const result = await runStep(step, false)
      print(`${result.status === 0 ? '✔' : '✖'} ${result.seconds.padStart(6)} s  ${result.name}`)
      if (result.status !== 0) failed.push(result)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return failed
}
