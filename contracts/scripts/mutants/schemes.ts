// Bugs that make closed schemes profitable again, by the point of the report that closed them. They
// are those of other lists, where specific tests find them; here the campaign must find them, too.
// The long fuzz ends with the first of each point.
import { MUTANTS as backing } from './backing.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS as prices } from './prices.ts'

const by = 'test/perps/invariant/SchemeInvariants.t.sol'

const PLANTED: readonly Readonly<{ point: number; name: string }>[] = [
  { point: 6, name: 'a thin book is enough to close a position' },
  { point: 6, name: 'a forced order is sold to the only bidder at once' },
  { point: 1, name: 'an announcement outlives what is reported after it' },
  { point: 1, name: 'an announcement never expires' },
  { point: 1, name: 'positions of an ended market end at the mark of now' },
  { point: 2, name: 'a price of this second is enough to close a position' },
  { point: 2, name: 'new risk needs no margin for the move of its second' },
  { point: 2, name: 'a taker that only closes needs no margin for the move of its second' },
  { point: 3, name: 'a refused reading leaves the price before it usable' },
  { point: 4, name: 'collateral leaves beside a flagged loss' },
  { point: 4, name: 'a nominee moves its position to another account' },
  { point: 4, name: 'a debt without a position does not stop withdrawals' },
  { point: 5, name: 'a taker that only closes needs no margin for its orders' },
  { point: 5, name: 'orders without margin are depth' },
  { point: 7, name: 'orders that a poke skips stay in its way' },
]

export const MUTANTS: readonly Mutant[] = PLANTED.map(({ point, name }, i) => {
  const mutant = [...prices, ...backing].find((candidate) => candidate.name === name)
  if (mutant === undefined) throw new Error(`no planted bug named "${name}"`)
  const afterFuzz = PLANTED.findIndex((planted) => planted.point === point) === i
  return { ...mutant, name: `${point}: ${name}`, by, ...(afterFuzz && { afterFuzz }) }
})
