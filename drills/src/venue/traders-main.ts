// Runs the traders of a drill's chain from their wallets, in a process started by the chain, so
// that faults only affect what is above the chain.
import { setTimeout as sleep } from 'node:timers/promises'
import { requireDeployment } from '@openvenue/devnet/deployment'
import { Money } from '@openvenue/devnet/money'
import { marketsAt, PACES } from '@openvenue/devnet/pace'
import { seededRandom } from '@openvenue/devnet/random'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { Trading } from '@openvenue/devnet/trading'
import { TxSender } from '@openvenue/devnet/tx-sender'

export type WalletTraderOptions = Readonly<{ rpcUrl: string; dataDir: string; seed: number }>

const ROUND_MS = 700
/** Number of rounds between two transfers. */
const ROUNDS_PER_TRANSFER = 30
/** Attempts at a node that refuses or is down before the process ends. */
const FAILURES_MAX = 10

async function main(): Promise<void> {
  const { trading, money } = await open(JSON.parse(process.argv[2] ?? '{}'))
  let failures = 0
  for (let round = 0; failures < FAILURES_MAX; round++) {
    const startMs = Date.now()
    try {
      await trading.catchUp()
      await trading.act(marketsAt(round, PACES.calm))
      if (round % ROUNDS_PER_TRANSFER === ROUNDS_PER_TRANSFER - 1) await money.move()
      failures = 0
    } catch (error) {
      failures++
      process.stderr.write(`traders: ${String(error)}\n`)
    }
    await sleep(Math.max(0, ROUND_MS - (Date.now() - startMs)))
  }
  throw new Error('the chain cannot be reached')
}

async function open({ rpcUrl, dataDir, seed }: WalletTraderOptions) {
  const rpc = rpcAt(rpcUrl)
  const deployment = requireDeployment(dataDir)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  // Different after each start.
  const random = seededRandom(seed + Number(await rpc.call('eth_blockNumber')))
  const deps = { rpc, deployment, traders, sender: new TxSender(rpc), random }
  return { trading: await Trading.start(deps), money: new Money(deps) }
}

// Ctrl-C reaches the whole group, but the chain must end this process.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error)?.stack)}\n`)
  process.exit(1)
})
