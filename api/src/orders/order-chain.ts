// What orders are asked of the nodes of the chain.
import { createBlockSimulation, type SimulateBlock } from './block-simulation.ts'
import { createOrderSimulation, type SimulateOrders } from './order-simulation.ts'

export type OrderChain = Readonly<{
  /** Whether the chain would take signed orders. */
  simulate: SimulateOrders
  /** What calls would do. */
  simulateBlock: SimulateBlock
}>

/** Returns what asks the nodes at `rpcUrls`. */
export const createOrderChain = (rpcUrls: readonly string[]): OrderChain => ({
  simulate: createOrderSimulation(rpcUrls),
  simulateBlock: createBlockSimulation(rpcUrls),
})
