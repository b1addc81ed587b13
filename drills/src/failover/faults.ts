// The faults of a failover drill, each with its bound.
import type { Cluster } from './cluster.ts'

export type FailoverFault = Readonly<{
  name: string
  /** Maximum time without an answered order; absent: measured only. */
  boundMs?: number
  /** Public reads must be answered with 200 throughout. */
  readsContinue?: true
  /** Causes the fault; returns the function that ends it, once there is another primary. */
  cause(cluster: Cluster): Promise<() => void>
}>

const nothing = () => {}

export const FAILOVER_FAULTS: readonly FailoverFault[] = [
  {
    name: 'server killed',
    boundMs: 7_000,
    cause: async (cluster) => {
      await (await cluster.primary()).killServer()
      return nothing
    },
  },
  {
    name: 'machine lost, and returned',
    boundMs: 12_000,
    cause: async (cluster) => {
      const primary = await cluster.primary()
      await primary.lose()
      return () => primary.return()
    },
  },
  {
    name: 'switchover',
    boundMs: 5_000,
    readsContinue: true,
    cause: async (cluster) => {
      await cluster.switchover()
      return nothing
    },
  },
  {
    name: 'agent hangs, and goes on',
    cause: async (cluster) => {
      const primary = await cluster.primary()
      primary.hangAgent()
      return () => primary.resumeAgent()
    },
  },
  {
    name: 'synchronous standby lost, and returned',
    cause: async (cluster) => {
      const standby = await cluster.synchronous()
      await standby.lose()
      return () => standby.return()
    },
  },
]
