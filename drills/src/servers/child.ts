// A child process of a run. It never outlives the run.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'

type ChildOptions = Readonly<{
  command: string
  args: readonly string[]
  /** File for all its output. */
  logPath: string
  env?: NodeJS.ProcessEnv
  uid?: number
  gid?: number
  cwd?: string
}>

/** Ids of the running processes. */
const runningPids = new Set<number>()

/** Ends all running processes at once, for an exit without an orderly shutdown. */
export function killAll(): void {
  for (const pid of runningPids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
}

/** Lets `killAll` end a process started elsewhere; returns the function that removes it. */
export function trackProcess(pid: number): () => void {
  runningPids.add(pid)
  return () => void runningPids.delete(pid)
}

export class Child {
  readonly #process: ChildProcess
  readonly logPath: string
  /** Resolves to the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>

  private constructor(child: ChildProcess, logPath: string) {
    this.#process = child
    this.logPath = logPath
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
      child.once('error', (error) => resolve(error.message))
    })
    if (child.pid !== undefined) void this.ended.then(trackProcess(child.pid))
  }

  static start({ command, args, logPath, ...options }: ChildOptions): Child {
    const log = openSync(logPath, 'a')
    const child = spawn(command, args, {
      ...options,
      // On Ctrl-C, processes that depend on it must end first: the run ends it.
      detached: true,
      stdio: ['ignore', log, log],
    } as SpawnOptions)
    closeSync(log)
    return new Child(child, logPath)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  signal(name: NodeJS.Signals): void {
    if (!this.hasEnded) this.#process.kill(name)
  }

  /** Ends it, by force after `patienceMs`. */
  async end(name: NodeJS.Signals = 'SIGTERM', patienceMs = 5_000): Promise<void> {
    if (this.hasEnded || this.pid === undefined) return
    const ended = once(this.#process, 'exit')
    this.signal('SIGCONT')
    this.signal(name)
    const force = setTimeout(() => this.signal('SIGKILL'), patienceMs)
    await ended
    clearTimeout(force)
  }

  /** The last lines of its output. */
  lastLines(lines = 15): string {
    return readFileSync(this.logPath, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  }
}
