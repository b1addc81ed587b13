// Makes nodes of the chain lag, or give false answers.
import type { Drill } from '../drill.ts'
import type { ChainFault } from '../net/chain-proxy.ts'

type NodeDrill = Readonly<{
  name: string
  about: string
  fault: ChainFault
  /** Number of faulty nodes per process; absent: all. */
  first?: number
  seconds: number
  isShort?: true
}>

const nodeDrill = ({ fault, first, seconds, ...drill }: NodeDrill): Drill => ({
  ...drill,
  run: async ({ parts }, { hold }) => {
    parts.links.setFault(fault, first === undefined ? {} : { first })
    await hold(seconds)
    parts.links.restore()
  },
})

export const NODE_DRILLS: readonly Drill[] = [
  nodeDrill({
    name: 'lagging-node',
    about: 'every node is suddenly 5 blocks behind, for 8 s',
    fault: { kind: 'lag', blocks: 5 },
    seconds: 8,
  }),
  nodeDrill({
    name: 'far-behind-node',
    about: 'every node is suddenly 150 blocks behind, beyond finality, for 10 s',
    fault: { kind: 'lag', blocks: 150 },
    seconds: 10,
  }),
  nodeDrill({
    name: 'short-logs',
    about: 'every node lacks the logs of the newest 2 blocks, for 10 s',
    fault: { kind: 'shortLogs', blocks: 2 },
    seconds: 10,
    isShort: true,
  }),
  nodeDrill({
    name: 'no-logs',
    about: 'one of three nodes returns no logs for the newest 2 blocks, also by hash, for 12 s',
    fault: { kind: 'noLogs', blocks: 2 },
    first: 1,
    seconds: 12,
  }),
  nodeDrill({
    name: 'lying-node',
    about: 'one of three nodes gives every third block a wrong hash, for 10 s',
    fault: { kind: 'wrongHash' },
    first: 1,
    seconds: 10,
  }),
  nodeDrill({
    name: 'all-without-logs',
    about: 'every node returns no logs for the newest 2 blocks, also by hash, for 12 s',
    fault: { kind: 'noLogs', blocks: 2 },
    seconds: 12,
  }),
  nodeDrill({
    name: 'refusing-node',
    about: 'every node responds with 503 for 8 s',
    fault: { kind: 'refuse' },
    seconds: 8,
  }),
]
