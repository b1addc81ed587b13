// Says when a process began, to distinguish it from a later one that was given its number.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Fields of `/proc/<pid>/stat` behind the name of the program, which may hold anything. */
const START_FIELD = 19
const PS_MS_MAX = 2_000

/**
 * Returns a text that no other process on this machine has; undefined when none of this number
 * runs. Where the system does not say when a process began, the number has to do.
 */
export function readProcessStart(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined
  return process.platform === 'linux' ? startInProc(pid) : startByPs(pid)
}

function startInProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`
  } catch {
    // It ended just now.
    return undefined
  }
}

function startByPs(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_MS_MAX,
  })
  return stdout?.trim() || String(pid)
}

/** A process of another user is alive, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** False for a process that has ended and that nothing collects, as happens in a container. */
export function isRunning(pid: number): boolean {
  if (!isAlive(pid) || process.platform !== 'linux') return isAlive(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}
