// Starts the whole venue with one command: npm start
import { enableCompileCache } from 'node:module'
import type { DevnetConfig } from './config.ts'
import type { Devnet } from './devnet.ts'
import type { DataDirClaim } from './running-file.ts'

// Before the rest is loaded, which then takes a third of the time from the second start on.
enableCompileCache()
const { ConfigInvalid } = await import('@openvenue/runtime/environment')
const { parseConfig } = await import('./config.ts')
const { buildPage } = await import('./build-page.ts')
const { namePort, openPorts } = await import('./ports.ts')
const { ProgressLine } = await import('./progress-line.ts')
const { claimDataDir } = await import('./running-file.ts')
const { Startup, StartStopped } = await import('./startup.ts')

/** Time after which a shutdown is forced. */
const STOP_MS_MAX = 15_000
const PROGRESS_MS = 200
const HELP_TEXT = `Usage: npm start

Runs a whole venue on this machine: a chain, the contracts, traders, the indexer, the keeper and
both APIs. Ctrl-C ends everything, the next npm start goes on from there.

  DATA_DIR          .data      where it keeps everything; without it the next start begins anew
  HOST              127.0.0.1  address to listen at
  PORT              3000       REST API, Socket.IO and WebSocket; 0 takes a free port, as for all
  INTEGRATED_PORT   3001       second host
  INDEXER_PORT      3002
  KEEPER_PORT       3003
  ANVIL_PORT        8545       the chain's RPC
  HISTORY_HOURS     4          past that a new chain begins with, up to 24
  TRADERS           on         how busy the market is: calm, on (every book changes each second)
                               or storm (a hundred orders a second); off: nobody trades but you
  BLOCK_MS          200        at most so long an order waits for its block
  SEED              1          another number, other prices
  LOG_LEVEL         info       fatal, error, warn, debug, trace or silent; the log is on stderr
  DATABASE_URL      unset      a PostgreSQL in place of the embedded database
  REDIS_URL         unset      a Redis for rate limits

docs/OPERATING.md has every variable, README.md what to do next.
npm run faucet -- <address> and npm run register -- <index> find the venue by DATA_DIR.
`

async function main(): Promise<void> {
  const [option, ...others] = process.argv.slice(2)
  if (option === '--help' || option === '-h') return void process.stdout.write(HELP_TEXT)
  if (option !== undefined) throw unknownOption([option, ...others])
  const startedMs = Date.now()
  const config = parseConfig(process.env)
  const claim = claimDataDir(config.dataDir, startedMs)
  process.once('exit', claim.release)
  const stopping = new AbortController()
  let devnet: Devnet | undefined
  const stopAsked = untilAsked().then(() => {
    stopping.abort()
    setTimeout(() => endByForce(devnet), STOP_MS_MAX).unref()
  })
  devnet = await start({ config, claim, signal: stopping.signal, startedMs })
  const failure = await Promise.race([stopAsked, devnet.failed.catch((error: unknown) => error)])
  await devnet.stop()
  if (failure !== undefined) throw failure
}

type StartOptions = Readonly<{
  config: DevnetConfig
  claim: DataDirClaim
  signal: AbortSignal
  startedMs: number
}>

/** Starts the venue and reports its progress: here, at its ports, and in its directory. */
async function start({ config, claim, signal, startedMs }: StartOptions): Promise<Devnet> {
  const startup = new Startup(signal)
  const line = new ProgressLine(process.stdout, Date.now)
  startup.ports = await openPorts(config, startup)
  const { api, integrated } = startup.ports
  claim.publish({ apiUrl: api.url, integratedUrl: integrated.url })
  const showing = setInterval(() => line.show(startup.awaiting), PROGRESS_MS)
  try {
    const log = await createLog(config, () => line.clear())
    if (config.terminalDir === undefined) startup.pageBuilt = buildPage(log, startup.signal)
    const { createDevnet } = await import('./devnet.ts')
    const devnet = await createDevnet(config, log, startup)
    const { apiUrl, integratedUrl, indexerUrl, keeperUrl, rpcUrl } = devnet
    const { domainName } = config
    claim.publishReady({ apiUrl, integratedUrl, indexerUrl, keeperUrl, rpcUrl, domainName })
    const { readyText } = await import('./ready-text.ts')
    line.clear()
    process.stdout.write(readyText(devnet, config, Date.now() - startedMs))
    return devnet
  } catch (error) {
    throw namePort(error, config)
  } finally {
    clearInterval(showing)
    line.clear()
  }
}

/** Standard output is for people; the log goes to standard error. A terminal shows both. */
async function createLog({ logLevel }: DevnetConfig, clearLine: () => void) {
  const { pino } = await import('pino')
  const stderr = pino.destination(2)
  const write = (text: string) => {
    clearLine()
    stderr.write(text)
  }
  return pino({ level: logLevel }, { write })
}

/** The next start ends a chain that this leaves behind. */
function endByForce(devnet: Devnet | undefined): never {
  const { anvil, traders } = devnet?.pids() ?? {}
  for (const pid of [anvil, traders]) if (pid !== undefined) process.kill(pid, 'SIGKILL')
  process.exit(1)
}

/** Resolves on Ctrl-C or SIGTERM. */
const untilAsked = () =>
  new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => resolve())
  })

const unknownOption = (options: readonly string[]) =>
  new ConfigInvalid(
    `${options.join(' ')}: npm start takes no options but --help; variables set it up`,
  )

main().then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof StartStopped) process.exit(0)
    // A configuration error is printed without a stack trace.
    const text = error instanceof ConfigInvalid ? error.message : String((error as Error)?.stack)
    process.stderr.write(`${text}\n`)
    process.exit(1)
  },
)
