// Runs the traders in their own process, started by the devnet: node src/traders-main.ts <options>
import { setTimeout as sleep } from 'node:timers/promises'
import { BotTrading } from './bots/bot-trading.ts'
import { forgetCredentials, getCredentials, type Registry } from './bots/credentials.ts'
import { CredentialsStale } from './bots/trader.ts'
import { requireDeployment } from './deployment.ts'
import { MARKETS } from './markets.ts'
import { Money } from './money.ts'
import { marketsAt, type Pace } from './pace.ts'
import { type Random, seededRandom } from './random.ts'
import { ROLES } from './roles.ts'
import { rpcAt } from './rpc.ts'
import { TxSender } from './tx-sender.ts'

/**
 * Keeps the traders trading through the venue: waits for it when it is down, and continues with the
 * existing orders.
 */
type TradingOptions = Readonly<{
  registry: Registry
  pace: Pace
  random: Random
  warn(text: string): void
}>

const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 10_000
/** Duration of trading that resets the pause. */
const WELL_MS = 20_000

/** Never returns. Logs an outage once. */
async function keepBotsTrading(keeping: TradingOptions): Promise<never> {
  for (let pauseMs = PAUSE_MS_MIN; ; ) {
    const startMs = Date.now()
    const failure = await trade(keeping).catch((error: unknown) => error)
    if (failure instanceof CredentialsStale) forgetCredentials(keeping.registry)
    if (Date.now() - startMs > WELL_MS) pauseMs = PAUSE_MS_MIN
    if (pauseMs === PAUSE_MS_MIN) keeping.warn(`the venue is waited for (${String(failure)})`)
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)
  }
}

/** Connects and trades until something fails. */
async function trade({ registry, pace, random }: TradingOptions): Promise<never> {
  const credentials = await Promise.all(
    ROLES.traders.map((index) => getCredentials(registry, index)),
  )
  const { apiUrl } = registry
  const trading = await BotTrading.open({ apiUrl, credentials, markets: MARKETS, random })
  try {
    for (let look = 0; ; look++) {
      const startMs = Date.now()
      await trading.act(marketsAt(look, pace), pace)
      await sleep(Math.max(0, pace.lookMs - (Date.now() - startMs)))
    }
  } finally {
    trading.close()
  }
}

export type TraderOptions = Readonly<{
  rpcUrl: string
  dataDir: string
  seed: number
  pace: Pace
  /** The venue that they trade at. */
  apiUrl: string
}>

/** Interval of movements of money. */
const MONEY_MS = 30_000

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as TraderOptions
  const { rpcUrl, dataDir, seed, pace, apiUrl } = options
  const rpc = rpcAt(rpcUrl)
  const deployment = requireDeployment(dataDir)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  // Different after each start, and the same for the same seed and block.
  const random = seededRandom(seed + Number(await rpc.call('eth_blockNumber')))
  const money = new Money({ rpc, deployment, traders, sender: new TxSender(rpc), random })
  await money.fund()
  const registry = { apiUrl, dataDir }
  await Promise.all([keepBotsTrading({ registry, pace, random, warn }), keepMoving(money)])
}

const warn = (text: string) => process.stderr.write(`traders: ${text}\n`)

/** Deposits, withdrawals and transfers are sent from the wallets. */
async function keepMoving(money: Money): Promise<never> {
  for (;;) {
    await sleep(MONEY_MS)
    await money.move().catch((error: unknown) => warn(String(error)))
  }
}

// Ctrl-C reaches the whole group; the devnet ends this process in its turn.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error)?.stack)}\n`)
  process.exit(1)
})
