// A reorg, seen from the stored blocks: which of them does the chain still hold?
import type { Header } from '@openvenue/core/events'
import { readHeaders } from './chain.ts'
import type { Rpc } from './rpc.ts'

/**
 * The chain differs from what is stored at a depth that was final: another chain, or one that was
 * reset. Nothing can be undone that far; the database must be rebuilt, and only its owner may say so.
 */
export class ChainDiverged extends Error {
  override name = 'ChainDiverged'
  readonly number: number

  constructor(number: number) {
    super(`the chain holds block ${number} as stored, or an undo reaches below it`)
    this.number = number
  }
}

/** Returns the stored header of a block that can still be undone, or undefined. */
type HeaderOf = (number: number) => Promise<Header | undefined>

const STEP_BLOCKS = 16

/**
 * Returns the number of the newest block below `stored`, and not above `headNumber`, that both the
 * database and the chain hold. Throws `ChainDiverged` if every block that can be undone is gone.
 */
export async function commonAncestor(
  { rpc, headerOf }: Readonly<{ rpc: Rpc; headerOf: HeaderOf }>,
  stored: Header,
  headNumber: number,
): Promise<number> {
  let number = Math.min(stored.number - 1, headNumber)
  for (;;) {
    const numbers = Array.from({ length: STEP_BLOCKS }, (_, step) => number - step)
    const onChain = await readHeaders(
      rpc,
      numbers.filter((wanted) => wanted >= 0),
    )
    for (const header of onChain) {
      const ours = await headerOf(number)
      if (ours === undefined) throw new ChainDiverged(number)
      if (header?.hash === ours.hash) return number
      number--
    }
    if (number < 0) throw new ChainDiverged(0)
  }
}
