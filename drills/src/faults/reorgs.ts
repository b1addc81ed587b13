// Reorganisations, while the venue cannot see the chain and while it can.
import type { Drill } from '../drill.ts'

/** The node keeps the state of few blocks, and cannot go back further. */
const DEPTH = 5

export const REORG_DRILLS: readonly Drill[] = [
  {
    name: 'reorg',
    about: `the newest ${DEPTH} blocks are replaced, twice`,
    run: async ({ parts }, { hold }) => {
      await parts.chain.reorganise(DEPTH)
      await hold(3)
      await parts.chain.reorganise(DEPTH - 2)
      await hold(2)
    },
  },
  {
    name: 'reorg-in-outage',
    about: `the newest ${DEPTH} blocks are replaced while the node delivers nothing`,
    run: async ({ parts }, { hold }) => {
      parts.links.fail({ to: 'node' }, { mode: 'freeze' })
      await hold(2)
      await parts.chain.reorganise(DEPTH)
      await hold(4)
      parts.links.restore()
    },
  },
]
