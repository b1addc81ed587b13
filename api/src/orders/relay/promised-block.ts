// The block by which the venue promises to have an intent on the chain. Interface 4.6.
import { CANCEL_LANE, orderLanesOf, promiseBlock, type RelayStatus } from '@openvenue/core/relay'
import type { OrderParts } from '../order-parts.ts'

type Queue = Pick<OrderParts, 'model' | 'intentBook'>

/** Returns the promised block of an order; `gas` is its own and that of the list before it. */
export function promisedOrderBlock(
  { model, intentBook }: Queue,
  relay: RelayStatus,
  { lane, gas }: Readonly<{ lane: string; gas: number }>,
): number {
  const lanes = orderLanesOf(relay)
  // Lanes share a block: the gas of all of them counts where it is more.
  const before = Math.max(intentBook.waitingGas(lane) * lanes, intentBook.waitingGas())
  return promiseBlock(headOf(model, relay), before + gas, relay.gasPerBlock)
}

/** Returns the promised block of a cancel. */
export const promisedCancelBlock = ({ model, intentBook }: Queue, relay: RelayStatus): number =>
  promiseBlock(headOf(model, relay), intentBook.waitingGas(CANCEL_LANE), relay.gasPerBlock)

/** The relayer may be ahead of this node. */
const headOf = (model: Queue['model'], { block }: RelayStatus) =>
  Math.max(model.head?.number ?? 0, block)
