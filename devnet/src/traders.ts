// Keeps the process of the traders running: starts, restarts and ends it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TraderOptions } from './traders-main.ts'

export type Traders = Readonly<{
  /** Undefined while it is down. */
  pid(): number | undefined
  stop(): Promise<void>
}>

const MAIN = new URL('./traders-main.ts', import.meta.url)
const RESTART_MS_MIN = 500
const RESTART_MS_MAX = 30_000
/** Lifetime after which a process counts as started well. */
const WELL_MS = 60_000
const ENDED_WITHIN_MS = 2_000

/** Starts the traders. `onEnd` is called when their process ended unexpectedly. */
export const startTraders = (options: TraderOptions, onEnd: (reason: string) => void): Traders =>
  keepRunning(MAIN, options, onEnd)

/** Keeps a process of `main` with `options` running. */
export function keepRunning(main: URL, options: object, onEnd: (reason: string) => void): Traders {
  const state: { child?: ChildProcess; timer?: NodeJS.Timeout; isStopped: boolean } = {
    isStopped: false,
  }
  const start = (pauseMs: number) => {
    const startedMs = Date.now()
    const child = fork(fileURLToPath(main), [JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    state.child = child
    child.once('exit', (code, signal) => {
      delete state.child
      if (state.isStopped) return
      onEnd(signal ?? `code ${code}`)
      const isWell = Date.now() - startedMs > WELL_MS
      const nextMs = isWell ? RESTART_MS_MIN : Math.min(pauseMs * 2, RESTART_MS_MAX)
      state.timer = setTimeout(() => start(nextMs), nextMs)
    })
  }
  start(RESTART_MS_MIN)
  return {
    pid: () => state.child?.pid,
    stop: async () => {
      state.isStopped = true
      clearTimeout(state.timer)
      if (state.child !== undefined) await end(state.child)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), ENDED_WITHIN_MS)
  await ended
  clearTimeout(force)
}
