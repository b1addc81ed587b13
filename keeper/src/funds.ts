// Polls the balance of the keeper's wallet for metrics only; sending does not depend on it.

import { NodeFailed, type RpcNode } from '@openvenue/runtime/node'
import { parseWei, readHead, readTip } from './chain-snapshot.ts'
import type { Clock } from './clock.ts'
import { type FeeBounds, offerFee } from './fees.ts'
import type { Metrics } from './metrics.ts'

type FundsWatch = Readonly<{
  node: RpcNode
  address: string
  bounds: FeeBounds
  clock: Clock
  metrics: Pick<Metrics, 'funds'>
}>

const EVERY_MS = 15_000
/** Gas of a push of a few prices; most transactions of the keeper take less. */
const GAS_OF_TRANSACTION = 150_000n

/** Updates the metrics until `signal` aborts. They keep their values while the node fails. */
export async function watchFunds(deps: FundsWatch, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readFunds(deps).catch((error: unknown) => {
      if (!(error instanceof NodeFailed)) throw error
    })
    await deps.clock.delay(EVERY_MS, signal)
  }
}

async function readFunds({ node, address, bounds, metrics }: FundsWatch): Promise<void> {
  const [head, tip, balance] = await Promise.all([
    readHead(node),
    readTip(node),
    node.call('eth_getBalance', address, 'latest'),
  ])
  const wei = parseWei(balance)
  const { max } = offerFee(head.baseFee, tip, bounds)
  metrics.funds(wei, Number(wei / (max * GAS_OF_TRANSACTION)))
}
