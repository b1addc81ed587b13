// Runs the traders as a process of their own, started by the devnet: node src/traders-main.ts
// <options>
import { setTimeout as sleep } from 'node:timers/promises'
import { type Deployment, requireDeployment } from './deployment.ts'
import { MARKETS, type MarketTerms } from './markets.ts'
import type { Pace } from './pace.ts'
import { seededRandom } from './random.ts'
import { ROLES } from './roles.ts'
import { rpcAt } from './rpc.ts'
import { Trading } from './trading.ts'
import { TxSender } from './tx-sender.ts'

export type TraderOptions = Readonly<{
  rpcUrl: string
  dataDir: string
  seed: number
  pace: Pace
}>

/** Someone moves money about once in so many looks. */
const MONEY_LOOKS = 30
/** A node that refuses or is away is asked again this often before the process ends. */
const FAILURES_MAX = 10

async function main(): Promise<void> {
  const { rpcUrl, dataDir, seed, pace } = JSON.parse(process.argv[2] ?? '{}') as TraderOptions
  const deployment = requireDeployment(dataDir)
  const trading = await startTrading({ rpcUrl, deployment, seed })
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
      process.stderr.write(`traders: ${String(error)}\n`)
    }
    await sleep(Math.max(0, pace.lookMs - (Date.now() - startMs)))
  }
  throw new Error('the chain cannot be reached')
}

/** Markets that a look is at: those after the ones of the look before. */
const marketsAt = (look: number, { marketsPerLook }: Pace) =>
  Array.from({ length: marketsPerLook }, (_, index) => {
    const at = (look * marketsPerLook + index) % MARKETS.length
    return MARKETS[at] as MarketTerms
  })

type Start = Readonly<{ rpcUrl: string; deployment: Deployment; seed: number }>

async function startTrading({ rpcUrl, deployment, seed }: Start): Promise<Trading> {
  const rpc = rpcAt(rpcUrl)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const head = Number(await rpc.call('eth_blockNumber'))
  return Trading.start({
    rpc,
    deployment,
    traders: ROLES.traders.map((index) => wallets[index] ?? ''),
    sender: new TxSender(rpc),
    // Another course after each start, and the same one for the same seed and block.
    random: seededRandom(seed + head),
  })
}

// Ctrl-C reaches the whole group; the devnet ends us when it is our turn.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error)?.stack)}\n`)
  process.exit(1)
})
