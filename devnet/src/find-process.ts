// Finds a process of this machine by its arguments.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const PS_MS_MAX = 2_000
const PS_BYTES_MAX = 16 * 1024 * 1024

/** Returns the id of a process other than this one whose arguments include all of `words`. */
export function findProcess(...words: readonly string[]): number | undefined {
  const processes = process.platform === 'linux' ? listProc() : listPs()
  for (const [pid, args] of processes)
    if (pid !== process.pid && words.every((word) => args.includes(word))) return pid
  return undefined
}

/** Yields processes with their space-separated arguments. */
function* listProc(): Generator<readonly [number, string]> {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      yield [Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    } catch {
      // It has ended since.
    }
  }
}

function* listPs(): Generator<readonly [number, string]> {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    timeout: PS_MS_MAX,
    maxBuffer: PS_BYTES_MAX,
  })
  for (const [, pid, args = ''] of (stdout ?? '').matchAll(/^ *(\d+) (.*)$/gm))
    yield [Number(pid), `${args} `]
}
