// Random failures of any link, in any way, at any time.
import type { Drill } from '../drill.ts'
import type { ChainFault } from '../net/chain-proxy.ts'
import type { Mode } from '../net/tcp-proxy.ts'

const ROUNDS = 12
const MODES: readonly Mode[] = ['cut', 'cut', 'freeze', 'freeze', 'delay', 'pass']
const FAULTS: readonly ChainFault[] = [
  { kind: 'lag', blocks: 3 },
  { kind: 'shortLogs', blocks: 2 },
  { kind: 'refuse' },
  { kind: 'honest' },
]
const SECONDS_MAX = 4
const DELAY_MS_MAX = 200
const PROCESS_CHANCE = 4

export const RANDOM_DRILLS: readonly Drill[] = [
  {
    name: 'random',
    about: `${ROUNDS} random faults of links, nodes and processes, some at the same time`,
    run: async ({ parts, services }, { hold, random }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { proxy, from } = random.pick(parts.links.all)
        proxy.fail({ mode: random.pick(MODES), delayMs: 1 + random.whole(DELAY_MS_MAX) })
        parts.links.setFault(random.pick(FAULTS), { from })
        const service = random.pick(services)
        const isStopped = random.chance(PROCESS_CHANCE)
        if (isStopped) service.signal('SIGSTOP')
        await hold(1 + random.whole(SECONDS_MAX))
        if (isStopped) service.signal('SIGCONT')
      }
      parts.links.restore()
    },
  },
]
