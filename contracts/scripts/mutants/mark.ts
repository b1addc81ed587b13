// Bugs in marks, funding and the age of an index.
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'funding flows the other way',
    file: 'Positions.sol',
    from: 'cash = -fundingDue(position, fundingIndex);',
    to: 'cash = fundingDue(position, fundingIndex);',
    afterFuzz: true,
  },
  {
    name: 'risk grows on a stale index',
    file: 'Perps.sol',
    from: 'require(!placement.quote.stale, IndexStale(placement.quote.asset, placement.quote.indexTime));',
    to: '',
  },
]
