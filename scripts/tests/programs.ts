// Runs a program that tests, such as forge, and counts what it tested.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { type Counts, NONE, parseForge } from './counts.ts'
import type { Program } from './packages.ts'

export type ProgramResult = Readonly<{ counts: Counts; isGreen: boolean; output: string }>

/** A compiler on every core gives way to the tests beside it that wait for a time. */
const NICENESS = 10
/** Characters kept of what a program prints, from its end. */
const OUTPUT_CHARACTERS_MAX = 1_000_000

const FAILED: Counts = { ...NONE, tests: 1, failed: 1 }

/**
 * Runs `program` to its end. One that fails without a failed test counts as a failed test itself.
 */
export async function runProgram({ args, env }: Program): Promise<ProgramResult> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  let output = ''
  const take = (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX)
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const [status] = (await once(child, 'close')) as [number | null]
  const counts = parseForge(output) ?? NONE
  const isGreen = status === 0 && counts.failed === 0
  const isUncounted = !isGreen && counts.failed === 0
  return { counts: isUncounted ? FAILED : counts, isGreen, output }
}
