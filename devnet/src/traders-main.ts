// Runs the traders as a process of their own, started by the devnet: node src/traders-main.ts
// <options>
import { setTimeout as sleep } from 'node:timers/promises'
import { keepBotsTrading } from './bots/keep-trading.ts'
import { type Deployment, requireDeployment } from './deployment.ts'
import { marketsAt, type Pace } from './pace.ts'
import { seededRandom } from './random.ts'
import { ROLES } from './roles.ts'
import { type ChainRpc, rpcAt } from './rpc.ts'
import { Trading } from './trading.ts'
import { TxSender } from './tx-sender.ts'

export type TraderOptions = Readonly<{
  rpcUrl: string
  dataDir: string
  seed: number
  pace: Pace
  /** Where they trade; absent: on the chain itself, with their wallets. */
  venue?: Readonly<{ apiUrl: string; domainName: string }>
}>

/** Someone moves money about once in so many looks. */
const MONEY_LOOKS = 30
/** Money of those who trade through the venue is moved as often. */
const MONEY_MS = 30_000
/** A node that refuses or is away is asked again this often before the process ends. */
const FAILURES_MAX = 10

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as TraderOptions
  const { rpcUrl, dataDir, venue } = options
  const rpc = rpcAt(rpcUrl)
  const deployment = requireDeployment(dataDir)
  const trading = await startTrading({ ...options, rpc, deployment })
  if (venue === undefined) return await tradeOnChain(trading, options.pace)
  const { random, sender } = trading
  const { chainId, accounts: accountsContract } = deployment
  const registry = { ...venue, dataDir, chainId, accountsContract, sender }
  await Promise.all([
    keepBotsTrading({ registry, pace: options.pace, random, warn }),
    keepMovingMoney(trading),
  ])
}

const warn = (text: string) => process.stderr.write(`traders: ${text}\n`)

async function tradeOnChain({ trading }: Started, pace: Pace): Promise<void> {
  let failures = 0
  for (let look = 0; failures < FAILURES_MAX; look++) {
    const startMs = Date.now()
    try {
      await trading.catchUp()
      await trading.act(marketsAt(look, pace), pace)
      if (look % MONEY_LOOKS === MONEY_LOOKS - 1) await trading.moveMoney()
      failures = 0
    } catch (error) {
      failures++
      warn(String(error))
    }
    await sleep(Math.max(0, pace.lookMs - (Date.now() - startMs)))
  }
  throw new Error('the chain cannot be reached')
}

/** Deposits, withdrawals and transfers are the wallets' own. */
async function keepMovingMoney({ trading }: Started): Promise<never> {
  for (;;) {
    await sleep(MONEY_MS)
    try {
      await trading.moveMoney()
    } catch (error) {
      warn(String(error))
    }
  }
}

type Start = Readonly<{ rpc: ChainRpc; deployment: Deployment; seed: number }>
type Started = Awaited<ReturnType<typeof startTrading>>

async function startTrading({ rpc, deployment, seed }: Start) {
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const head = Number(await rpc.call('eth_blockNumber'))
  const sender = new TxSender(rpc)
  // Another course after each start, and the same one for the same seed and block.
  const random = seededRandom(seed + head)
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  const trading = await Trading.start({ rpc, deployment, traders, sender, random })
  return { trading, sender, random }
}

// Ctrl-C reaches the whole group; the devnet ends us when it is our turn.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error)?.stack)}\n`)
  process.exit(1)
})
