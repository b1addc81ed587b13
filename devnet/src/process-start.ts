// Reads the start time of a process, to distinguish it from a later one with the same id.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Index in `/proc/<pid>/stat` after the program's name, which may contain any characters. */
const START_FIELD = 19
const PS_MS_MAX = 2_000

/**
 * Returns a text that identifies a process on this machine; undefined when none has this id. On
 * systems without start times, it is the id.
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
    // It has just ended.
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

/** False for a process that has ended but is not reaped, as in containers. */
export function isRunning(pid: number): boolean {
  if (!isAlive(pid) || process.platform !== 'linux') return isAlive(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}
