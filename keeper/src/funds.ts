// Reads now and then what the keeper's wallet holds, for metrics alone: sending asks nobody.
import { parseWei, readHead, readTip } from './chain-look.ts'
import type { Clock } from './clock.ts'
import { type FeeBounds, offerFee } from './fees.ts'
import type { Metrics } from './metrics.ts'
import { type Node, NodeFailed } from './node.ts'

type FundsDeps = Readonly<{
  node: Node
  address: string
  bounds: FeeBounds
  clock: Clock
  metrics: Pick<Metrics, 'funds'>
}>

const EVERY_MS = 15_000
/** A push of a few prices; most of what the keeper sends takes less. */
const GAS_OF_TRANSACTION = 150_000n

/** Keeps the metrics fresh until `signal` aborts. While the node fails they stay as they were. */
export async function watchFunds(deps: FundsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readFunds(deps).catch((error: unknown) => {
      if (!(error instanceof NodeFailed)) throw error
    })
    await deps.clock.delay(EVERY_MS, signal)
  }
}

async function readFunds({ node, address, bounds, metrics }: FundsDeps): Promise<void> {
  const [head, tip, balance] = await Promise.all([
    readHead(node),
    readTip(node),
    node.call('eth_getBalance', address, 'latest'),
  ])
  const wei = parseWei(balance)
  const { max } = offerFee(head.baseFee, tip, bounds)
  metrics.funds(wei, Number(wei / (max * GAS_OF_TRANSACTION)))
}
