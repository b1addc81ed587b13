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
    from: '!placement.quote.stale,\n                IndexStale(',
    to: 'true,\n                IndexStale(',
  },
  {
    name: 'a poke moves the mark within its second',
    file: 'PerpsState.sol',
    from: 'uint32(block.timestamp) > pricing.pokedTime ? pricing.nextBasis : pricing.basis',
    to: 'pricing.nextBasis',
    by: 'test/perps/PerpsMark.t.sol',
  },
  {
    name: 'orders of this second are depth',
    file: 'Depth.sol',
    from: 'id < scan.firstFresh && ',
    to: '',
    by: 'test/perps/PerpsMark.t.sol',
  },
  {
    name: 'expired orders are depth',
    file: 'Depth.sol',
    from: '!order.isExpired() && ',
    to: '',
    by: 'test/perps/PerpsMark.t.sol',
  },
  {
    name: 'reduce-only orders are depth',
    file: 'Depth.sol',
    from: ' && !order.isReduceOnly()',
    to: '',
    by: 'test/regressions/MarkOfOneInstant.t.sol',
  },
  {
    name: 'depth alone is believed',
    file: 'Funding.sol',
    from: 'if (low > basis) return low;',
    to: 'if (low > basis || high > basis) return first;',
    by: 'test/perps/PerpsMark.t.sol',
  },
  {
    name: 'a poke moves the basis all the way',
    file: 'Funding.sol',
    from: 'before + clamp(step, BASIS_STEP_MAX)',
    to: 'before + step',
    by: 'test/perps/PerpsMark.t.sol',
  },
  {
    name: 'what comes within a second counts in the average',
    file: 'Book.sol',
    from: 'if (state.changedTime == uint32(block.timestamp)) return;',
    to: '',
    by: 'test/spot/Average.t.sol',
  },
  {
    name: 'depth that is taken away in the transaction is a sample',
    file: 'PerpsAdmin.sol',
    from: 'require(mid != 0 || state.changedTime != uint32(block.timestamp), BookChanged(market));',
    to: '',
    by: 'test/regressions/MarkOfOneInstant.t.sol',
  },
  {
    name: 'a premium does not weigh its time',
    file: 'PerpsAdmin.sol',
    from: 'premium * int256(counted)',
    to: 'premium * 120',
    by: 'test/perps/PerpsFunding.t.sol',
  },
]
