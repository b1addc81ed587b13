// Cuts connections, or leaves them open without delivering anything.
import type { Drill } from '../drill.ts'
import type { Failure } from '../net/tcp-proxy.ts'
import type { LinkFilter } from '../venue/links.ts'

type LinkDrill = Readonly<{
  name: string
  about: string
  filter: LinkFilter
  failure: Failure
  seconds: number
  isShort?: true
}>

const linkDrill = ({ filter, failure, seconds, ...drill }: LinkDrill): Drill => ({
  ...drill,
  run: async ({ parts }, { hold }) => {
    parts.links.fail(filter, failure)
    await hold(seconds)
    parts.links.restore()
  },
})

const CUT: Failure = { mode: 'cut' }
const FREEZE: Failure = { mode: 'freeze' }

export const LINK_DRILLS: readonly Drill[] = [
  linkDrill({
    name: 'cut-database',
    about: 'every connection to PostgreSQL is reset, and new ones fail for 5 s',
    filter: { to: 'database' },
    failure: CUT,
    seconds: 5,
    isShort: true,
  }),
  linkDrill({
    name: 'freeze-database',
    about: 'connections to PostgreSQL stay open and deliver nothing for 20 s',
    filter: { to: 'database' },
    failure: FREEZE,
    seconds: 20,
  }),
  linkDrill({
    name: 'freeze-listener',
    about: 'the connections that signal the API nodes deliver nothing for 15 s',
    filter: { to: 'database', from: 'api' },
    failure: { mode: 'freeze', label: 'listener' },
    seconds: 15,
  }),
  linkDrill({
    name: 'freeze-answers',
    about: 'PostgreSQL receives everything, but its answers are lost for 12 s',
    filter: { to: 'database' },
    failure: { mode: 'freeze', direction: 'down' },
    seconds: 12,
  }),
  linkDrill({
    name: 'slow-database',
    about: 'every answer of PostgreSQL is delayed by 100 ms, for 10 s',
    filter: { to: 'database' },
    failure: { mode: 'delay', delayMs: 100, direction: 'down' },
    seconds: 10,
  }),
  linkDrill({
    name: 'cut-replica',
    about: 'the read replica is unreachable for 8 s',
    filter: { to: 'replica' },
    failure: CUT,
    seconds: 8,
  }),
  linkDrill({
    name: 'freeze-replica',
    about: 'the read replica delivers nothing for 12 s',
    filter: { to: 'replica' },
    failure: FREEZE,
    seconds: 12,
  }),
  linkDrill({
    name: 'cut-redis',
    about: 'Redis is unreachable for 8 s',
    filter: { to: 'redis' },
    failure: CUT,
    seconds: 8,
    isShort: true,
  }),
  linkDrill({
    name: 'freeze-redis',
    about: 'Redis delivers nothing for 10 s',
    filter: { to: 'redis' },
    failure: FREEZE,
    seconds: 10,
  }),
  linkDrill({
    name: 'cut-node',
    about: 'the chain is unreachable for 6 s',
    filter: { to: 'node' },
    failure: CUT,
    seconds: 6,
  }),
  linkDrill({
    name: 'freeze-node',
    about: 'the node delivers nothing for 15 s',
    filter: { to: 'node' },
    failure: FREEZE,
    seconds: 15,
  }),
]
