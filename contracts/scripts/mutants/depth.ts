// Bugs in what rests in a book and what a taker meets there.
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a reduce-only maker grows a position',
    file: 'Perps.sol',
    from: 'if (closable < offered) (filled',
    to: 'if (closable == 0) (filled',
    by: 'test/perps/PerpsOrders.t.sol',
  },
]
