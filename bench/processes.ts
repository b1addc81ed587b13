// Reads how much processor time processes have used, of any program, by their ids: of Linux alone.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux says the times of a process in hundredths of a second. */
const MICROS_PER_TICK = 10_000
/** Fields of /proc/<pid>/stat behind the name, from 0. */
const [PARENT, USER, SYSTEM] = [1, 11, 12]

/** Returns what a process has used so far, microseconds; NaN where nothing says so. */
export function cpuMicrosOf(pid: number): number {
  const fields = statOf(pid)
  if (fields === undefined) return Number.NaN
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * MICROS_PER_TICK
}

/** Returns what a process and those that it has started have used, those that live alone. */
export function cpuMicrosOfAll(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))?.[PARENT]) === pid)
    .map(Number)
  return [pid, ...children].reduce((sum, one) => sum + (cpuMicrosOf(one) || 0), 0)
}

export const parentOf = (pid: number): number => Number(statOf(pid)?.[PARENT])

function statOf(pid: number): readonly string[] | undefined {
  try {
    // The name of the program stands in brackets, and may hold any character.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
