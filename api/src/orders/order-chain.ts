// What orders are asked of the nodes of the chain.

import { createEthCall } from '../identity/eth-call.ts'
import { createBlockSimulation, type SimulateBlock } from './block-simulation.ts'
import { createOrderSimulation, type SimulateOrders } from './order-simulation.ts'
import { createSaltReads, type FindSpentSalts } from './salt-reads.ts'

export type OrderChain = Readonly<{
  /** Whether the chain would take signed orders. */
  simulate: SimulateOrders
  /** What calls would do. */
  simulateBlock: SimulateBlock
  /** Which salts of an account are spent. */
  findSpentSalts: FindSpentSalts
}>

/** Returns what asks the nodes at `rpcUrls`. */
export const createOrderChain = (rpcUrls: readonly string[]): OrderChain => ({
  simulate: createOrderSimulation(rpcUrls),
  simulateBlock: createBlockSimulation(rpcUrls),
  findSpentSalts: createSaltReads(createEthCall(rpcUrls)),
})
