// Nodes of the chain that are behind, or say what is not so.
import type { Drill } from '../drill.ts'
import type { Fault } from '../net/chain-proxy.ts'

type NodeDrill = Readonly<{
  name: string
  about: string
  fault: Fault
  seconds: number
  isShort?: true
}>

const nodeDrill = ({ fault, seconds, ...drill }: NodeDrill): Drill => ({
  ...drill,
  play: async ({ parts }, { hold }) => {
    parts.links.lie(fault)
    await hold(seconds)
    parts.links.heal()
  },
})

export const NODE_DRILLS: readonly Drill[] = [
  nodeDrill({
    name: 'lagging-node',
    about: 'the node is suddenly 5 blocks behind, for 8 s',
    fault: { kind: 'lag', blocks: 5 },
    seconds: 8,
    isShort: true,
  }),
  nodeDrill({
    name: 'far-behind-node',
    about: 'the node is suddenly 150 blocks behind, beyond finality, for 10 s',
    fault: { kind: 'lag', blocks: 150 },
    seconds: 10,
  }),
  nodeDrill({
    name: 'short-logs',
    about: 'the node has every block, and the logs of all but the newest 2, for 12 s',
    fault: { kind: 'shortLogs', blocks: 2 },
    seconds: 12,
  }),
  nodeDrill({
    name: 'no-logs',
    about: 'the node says that the newest 2 blocks have no logs, also by their hash, for 12 s',
    fault: { kind: 'noLogs', blocks: 2 },
    seconds: 12,
  }),
  nodeDrill({
    name: 'lying-node',
    about: 'the node gives every third block a wrong hash, for 10 s',
    fault: { kind: 'wrongHash' },
    seconds: 10,
  }),
  nodeDrill({
    name: 'refusing-node',
    about: 'the node answers 503 for 8 s',
    fault: { kind: 'refuse' },
    seconds: 8,
  }),
]
