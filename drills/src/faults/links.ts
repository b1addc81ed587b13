// Cuts connections, or leaves them open without delivering anything.
import type { Drill } from '../drill.ts'
import type { Failure } from '../net/tcp-proxy.ts'
import type { Which } from '../venue/links.ts'

type LinkDrill = Readonly<{
  name: string
  about: string
  which: Which
  failure: Failure
  seconds: number
  isShort?: true
}>

const linkDrill = ({ which, failure, seconds, ...drill }: LinkDrill): Drill => ({
  ...drill,
  run: async ({ parts }, { hold }) => {
    parts.links.fail(which, failure)
    await hold(seconds)
    parts.links.restore()
  },
})

const CUT: Failure = { mode: 'cut' }
const FREEZE: Failure = { mode: 'freeze' }

export const LINK_DRILLS: readonly Drill[] = [
  linkDrill({
    name: 'cut-database',
    about: 'every connection to PostgreSQL is reset, and none is to be had for 5 s',
    which: { to: 'database' },
    failure: CUT,
    seconds: 5,
    isShort: true,
  }),
  linkDrill({
    name: 'freeze-database',
    about: 'connections to PostgreSQL stay open and deliver nothing for 20 s',
    which: { to: 'database' },
    failure: FREEZE,
    seconds: 20,
  }),
  linkDrill({
    name: 'freeze-listener',
    about: 'the connections that signal the API nodes deliver nothing for 15 s',
    which: { to: 'database', from: 'api' },
    failure: { mode: 'freeze', label: 'listener' },
    seconds: 15,
  }),
  linkDrill({
    name: 'freeze-answers',
    about: 'PostgreSQL receives everything, and its answers are lost for 12 s',
    which: { to: 'database' },
    failure: { mode: 'freeze', direction: 'down' },
    seconds: 12,
  }),
  linkDrill({
    name: 'slow-database',
    about: 'every answer of PostgreSQL comes 100 ms later, for 10 s',
    which: { to: 'database' },
    failure: { mode: 'delay', delayMs: 100, direction: 'down' },
    seconds: 10,
  }),
  linkDrill({
    name: 'cut-replica',
    about: 'no connection to the read replica for 8 s',
    which: { to: 'replica' },
    failure: CUT,
    seconds: 8,
  }),
  linkDrill({
    name: 'freeze-replica',
    about: 'the read replica delivers nothing for 12 s',
    which: { to: 'replica' },
    failure: FREEZE,
    seconds: 12,
  }),
  linkDrill({
    name: 'cut-redis',
    about: 'no connection to Redis for 8 s',
    which: { to: 'redis' },
    failure: CUT,
    seconds: 8,
    isShort: true,
  }),
  linkDrill({
    name: 'freeze-redis',
    about: 'Redis delivers nothing for 10 s',
    which: { to: 'redis' },
    failure: FREEZE,
    seconds: 10,
  }),
  linkDrill({
    name: 'cut-node',
    about: 'the chain is unreachable for 6 s',
    which: { to: 'node' },
    failure: CUT,
    seconds: 6,
  }),
  linkDrill({
    name: 'freeze-node',
    about: 'the node delivers nothing for 15 s',
    which: { to: 'node' },
    failure: FREEZE,
    seconds: 15,
  }),
]
