// Says to systemd that a service is there, and then, again and again, that it gets on. It asks the
// service's own port: a process whose loop hangs answers nothing. Nothing happens where systemd has
// not asked for it.
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from './environment.ts'

export type WatchedService = Readonly<{
  host: string
  port: number
  /** 200 there is a sign of life. */
  path: string
  /** Member of the answer that counts blocks: while it changes, the service gets on. */
  progress?: string
}>

/** As long as the service is not there it is asked so often. */
const FIRST_MS = 250
const ANSWER_MS_MAX = 5_000
/** Signs in the time that systemd waits for one. */
const SIGNS = 4
const MICROSECONDS = 1_000

/** Watches until `stopped` is aborted. Never rejects, and never holds the process. */
export async function watchService(
  env: Environment,
  service: WatchedService,
  stopped: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  const limitMs = Number(env.WATCHDOG_USEC ?? 0) / MICROSECONDS
  const look = looker(service)
  const pause = (ms: number) => delay(ms, undefined, { ref: false, signal: stopped })
  try {
    while ((await look()) === 'silent') await pause(FIRST_MS)
    await notify(env, 'READY=1')
    while (limitMs > 0) {
      if ((await look()) === 'alive') await notify(env, 'WATCHDOG=1')
      await pause(limitMs / SIGNS)
    }
  } catch (error) {
    // Only a pause that is over with the process.
    if (!stopped.aborted) throw error
  }
}

/** Answers without getting on: `idle`. That it waits is no reason to say that it is absent. */
type Sign = 'silent' | 'idle' | 'alive'

/** Returns what says whether the service got on since it was last asked. */
function looker({ host, port, path, progress }: WatchedService): () => Promise<Sign> {
  const name = OWN[host] ?? (host.includes(':') ? `[${host}]` : host)
  let before: unknown
  return async () => {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX)
      const headers = { connection: 'close' }
      const response = await fetch(`http://${name}:${port}${path}`, { signal, headers })
      const answer = (await response.json()) as Readonly<Record<string, unknown>>
      const now = progress === undefined ? undefined : (answer[progress] ?? undefined)
      const isMoved = now !== undefined && now !== before
      before = now
      return response.ok || isMoved ? 'alive' : 'idle'
    } catch {
      // Not there yet, or hanging.
      return 'silent'
    }
  }
}

/** Who listens everywhere listens on this machine. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** By systemd's own program: datagrams of Unix sockets are not in Node. */
const notify = ({ NOTIFY_SOCKET, PATH }: Environment, word: string): Promise<void> =>
  new Promise((resolve) => {
    const env = { NOTIFY_SOCKET, PATH }
    execFile('systemd-notify', [word], { env, timeout: ANSWER_MS_MAX }, (error) => {
      if (error !== null) process.emitWarning(`systemd-notify ${word}: ${error.message}`)
      resolve()
    })
  })
