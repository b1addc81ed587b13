// Starts the whole venue with one command: npm start
import { enableCompileCache } from 'node:module'
import type { Devnet } from './devnet.ts'

// Before the rest is loaded, which then takes a third of the time from the second start on.
enableCompileCache()
const { pino } = await import('pino')
const { ConfigInvalid } = await import('@openvenue/store/environment')
const { parseConfig } = await import('./config.ts')
const { createDevnet } = await import('./devnet.ts')
const { readyText } = await import('./ready-text.ts')

/** After so long the end is forced. */
const STOP_MS_MAX = 15_000

async function main(): Promise<void> {
  const startedMs = Date.now()
  const config = parseConfig(process.env)
  // Standard output is for people, the log goes beside it.
  const log = pino({ level: config.logLevel }, pino.destination(2))
  const stopAsked = asked()
  const devnet = await createDevnet(config, log)
  process.stdout.write(readyText(devnet, config, Date.now() - startedMs))
  const failure = await Promise.race([stopAsked, devnet.failed.catch((error: unknown) => error)])
  setTimeout(() => endByForce(devnet), STOP_MS_MAX).unref()
  await devnet.stop()
  if (failure !== undefined) throw failure
}

function endByForce(devnet: Devnet): never {
  const { anvil, traders } = devnet.pids()
  for (const pid of [anvil, traders]) if (pid !== undefined) process.kill(pid, 'SIGKILL')
  process.exit(1)
}

/** Returns when Ctrl-C is pressed or the process gets SIGTERM. */
const asked = () =>
  new Promise<undefined>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => resolve(undefined))
  })

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // A mistake in the configuration needs its sentence, not a stack.
    const text = error instanceof ConfigInvalid ? error.message : String((error as Error)?.stack)
    process.stderr.write(`${text}\n`)
    process.exit(1)
  },
)
