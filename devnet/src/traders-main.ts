// Runs the traders as a process of their own, started by the devnet: node src/traders-main.ts
// <options>
import { setTimeout as sleep } from 'node:timers/promises'
import { keepBotsTrading } from './bots/keep-trading.ts'
import { requireDeployment } from './deployment.ts'
import { Money } from './money.ts'
import type { Pace } from './pace.ts'
import { seededRandom } from './random.ts'
import { ROLES } from './roles.ts'
import { rpcAt } from './rpc.ts'
import { TxSender } from './tx-sender.ts'

export type TraderOptions = Readonly<{
  rpcUrl: string
  dataDir: string
  seed: number
  pace: Pace
  /** The venue that they trade at. */
  apiUrl: string
  domainName: string
}>

/** Someone moves money this often. */
const MONEY_MS = 30_000

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as TraderOptions
  const { rpcUrl, dataDir, seed, pace, apiUrl, domainName } = options
  const rpc = rpcAt(rpcUrl)
  const deployment = requireDeployment(dataDir)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  // Another course after each start, and the same one for the same seed and block.
  const random = seededRandom(seed + Number(await rpc.call('eth_blockNumber')))
  const money = new Money({ rpc, deployment, traders, sender: new TxSender(rpc), random })
  await money.fund()
  const { chainId, accounts: accountsContract } = deployment
  const registry = { apiUrl, domainName, dataDir, chainId, accountsContract }
  await Promise.all([keepBotsTrading({ registry, pace, random, warn }), keepMoving(money)])
}

const warn = (text: string) => process.stderr.write(`traders: ${text}\n`)

/** Deposits, withdrawals and transfers are the wallets' own. */
async function keepMoving(money: Money): Promise<never> {
  for (;;) {
    await sleep(MONEY_MS)
    await money.move().catch((error: unknown) => warn(String(error)))
  }
}

// Ctrl-C reaches the whole group; the devnet ends us when it is our turn.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error)?.stack)}\n`)
  process.exit(1)
})
