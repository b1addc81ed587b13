// Reads CPU times of processes, which measure the cost of a request on a busy machine: of a child
// by message, and of any process by id, on Linux only.
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

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

/** Linux reports CPU times in hundredths of a second. */
const MICROS_PER_TICK = 10_000
/** Fields of /proc/<pid>/stat after the name, counted from 0. */
const [PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14]

/** Returns the CPU time of a process so far in microseconds; NaN if unknown. */
export function cpuMicrosOf(pid: number): number {
  const fields = statOf(pid)
  if (fields === undefined) return Number.NaN
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * MICROS_PER_TICK
}

/** Returns the CPU time of a process and its live children. */
export function cpuMicrosOfAll(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))?.[PARENT]) === pid)
    .map(Number)
  return [pid, ...children].reduce((sum, each) => sum + (cpuMicrosOf(each) || 0), 0)
}

/** Linux reports memory in pages. */
const PAGE_BYTES = 4_096

/** Returns the resident memory of a process. */
export const rssBytesOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES

/** Returns the CPU time of a process, its live children and those that have ended. */
export function cpuMicrosEver(pid: number): number {
  const fields = statOf(pid)
  const ended = Number(fields?.[ENDED_USER]) + Number(fields?.[ENDED_SYSTEM])
  return cpuMicrosOfAll(pid) + ended * MICROS_PER_TICK
}

export const parentOf = (pid: number): number => Number(statOf(pid)?.[PARENT])

function statOf(pid: number): readonly string[] | undefined {
  try {
    // The program name is in parentheses and may contain any character.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
