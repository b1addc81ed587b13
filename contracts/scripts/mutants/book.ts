// Bugs in books, their ticks and the orders in them.
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a level keeps a lot of an order that left it',
    file: 'Book.sol',
    from: 'level.lots -= Lots.unwrap(order.lots);',
    to: 'level.lots -= Lots.unwrap(order.lots) - 1;',
    afterFuzz: true,
  },
  {
    name: "a queue's link leads to an order that left it",
    file: 'Book.sol',
    from: 'market.orders[order.next].prev = order.prev;',
    to: 'market.orders[order.next].prev = id;',
    afterFuzz: true,
  },
  {
    name: 'an upper bit of the tick set outlives its word',
    file: 'Ticks.sol',
    from: 'set.top &= ~_bit(index >> 16);',
    to: '',
  },
  {
    name: 'a salt is never spent',
    file: 'Signed.sol',
    from: '_salts[account][salt >> 8] = spent | bit;',
    to: '',
  },
]
