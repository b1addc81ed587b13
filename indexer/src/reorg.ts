// Finds the stored blocks that the chain still contains after a reorganisation.
import type { Header } from '@openvenue/core/events'
import { type Ballot, findMajority } from './ballot.ts'
import { movedError } from './chain.ts'

/**
 * Thrown when the chain differs below the finality depth: it is another chain, or was reset. Such
 * blocks cannot be undone; the database must be rebuilt, which only its owner may decide.
 */
export class ChainDiverged extends Error {
  override name = 'ChainDiverged'
  readonly number: number

  constructor(number: number, hashes?: Readonly<{ stored: string; chain: string }>) {
    super(
      hashes === undefined
        ? `the chain holds block ${number} as stored, or an undo reaches below it`
        : `the chain holds block ${number} as stored (${hashes.stored}; it has ${hashes.chain}): ` +
            'RPC_URL names nodes of the chain that the database was read from, or the database is new',
    )
    this.number = number
  }
}

/** Returns the stored header of a block that can still be undone, or undefined. */
export type ReadHeader = (number: number) => Promise<Header | undefined>

const STEP_BLOCKS = 16

/**
 * Returns the number of the newest block below `stored` and not above `headNumber` that both the
 * database and most endpoints have. Throws `ChainDiverged` if most have another block at the lowest
 * height that can be undone, and an `RpcError` of kind `moved` when there is no majority.
 * `ballots` asks every endpoint for its blocks at the given heights.
 */
export async function commonAncestor(
  {
    ballots,
    readHeader,
  }: Readonly<{
    ballots: (numbers: readonly number[]) => Promise<readonly Ballot[]>
    readHeader: ReadHeader
  }>,
  stored: Header,
  headNumber: number,
): Promise<number> {
  let number = Math.min(stored.number - 1, headNumber)
  let last: { stored: string; chain: string } | undefined
  for (;;) {
    const numbers = Array.from({ length: STEP_BLOCKS }, (_, step) => number - step)
    for (const ballot of await ballots(numbers.filter((height) => height >= 0))) {
      const ours = await readHeader(number)
      if (ours === undefined) throw new ChainDiverged(number + 1, last)
      const chain = findMajority(ballot)
      if (chain === undefined) throw movedError(number)
      if (chain === ours.hash) return number
      last = { stored: ours.hash, chain }
      number--
    }
    if (number < 0) throw new ChainDiverged(0, last)
  }
}
