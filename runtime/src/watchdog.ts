// Notifies systemd when a service is ready and, repeatedly, while it makes progress. It asks the
// service's own port, since a process with a blocked event loop does not answer. Does nothing
// unless systemd requests it.
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from './environment.ts'

type WatchedService = Readonly<{
  host: string
  port: number
  /** A 200 from here is a sign of life. */
  path: string
  /** Member of the answer that counts blocks; a change of it is progress. */
  progress?: string
}>

/** Poll interval until the service is ready. */
const FIRST_MS = 250
const ANSWER_MS_MAX = 5_000
/** Notifications per watchdog period. */
const SIGNS = 4
const MICROSECONDS = 1_000

/** Watches until `stopped` is aborted. Never rejects, and does not keep the process alive. */
export async function watchService(
  env: Environment,
  service: WatchedService,
  stopped: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  const limitMs = Number(env.WATCHDOG_USEC ?? 0) / MICROSECONDS
  const look = createProbe(service)
  const pause = (ms: number) => delay(ms, undefined, { ref: false, signal: stopped })
  try {
    while ((await look()) === 'silent') await pause(FIRST_MS)
    await notify(env, 'READY=1')
    while (limitMs > 0) {
      if ((await look()) === 'alive') await notify(env, 'WATCHDOG=1')
      await pause(limitMs / SIGNS)
    }
  } catch (error) {
    // The pause was aborted.
    if (!stopped.aborted) throw error
  }
}

/** `idle`: it answers but makes no progress, which may be a wait and is not a failure. */
type ServiceState = 'silent' | 'idle' | 'alive'

/** Returns a probe that reports whether the service made progress since the last call. */
function createProbe({ host, port, path, progress }: WatchedService): () => Promise<ServiceState> {
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

/** Local addresses of services that listen on every interface. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Runs `systemd-notify`: Node has no datagrams on Unix sockets. */
const notify = ({ NOTIFY_SOCKET, PATH }: Environment, word: string): Promise<void> =>
  new Promise((resolve) => {
    const env = { NOTIFY_SOCKET, PATH }
    execFile('systemd-notify', [word], { env, timeout: ANSWER_MS_MAX }, (error) => {
      if (error !== null) process.emitWarning(`systemd-notify ${word}: ${error.message}`)
      resolve()
    })
  })
