// Bugs that let orders nobody can trade with, or a book of one, decide what others get.
import type { Mutant } from './mutant.ts'

const QUOTES = 'test/regressions/QuotesWithoutMargin.t.sol'
const BIDDER = 'test/regressions/TheOnlyBidder.t.sol'
const LEAVE = 'test/regressions/WinnersWhoLeave.t.sol'
const WALL = 'test/regressions/WallOfReduceOnlyOrders.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a debt without a position holds nobody back',
    file: 'Deleveraging.sol',
    from: 'return _owesAlone(loss.account);',
    to: 'return false;',
    by: 'test/regressions/WinnersWhoHandOver.t.sol',
  },
  {
    name: 'a debt without a position cannot be flagged',
    file: 'Deleveraging.sol',
    from: 'if (!_owesAlone(account)) {',
    to: '{',
    by: 'test/regressions/WinnersWhoHandOver.t.sol',
  },
  {
    name: 'a maker needs no margin for the move of its second',
    file: 'Perps.sol',
    from: '/ STALE_DIVISOR\n                    + health.moved;',
    to: '/ STALE_DIVISOR;',
    by: 'test/regressions/MakersInAWick.t.sol',
  },
  {
    name: 'who only closes needs no margin for its orders',
    file: 'PerpsState.sol',
    from: 'return health.equity >= int256(health.exposureMargin)',
    to: 'return health.equity >= int256(health.maintenanceMargin)',
    by: QUOTES,
  },
  {
    name: 'a maker that only closes needs no margin for its other orders',
    file: 'Perps.sol',
    from: 'uint256 margin = health.exposureMargin;',
    to: 'uint256 margin = health.maintenanceMargin;',
    by: QUOTES,
  },
  {
    name: 'an order that cannot be filled keeps post-only orders away',
    file: 'Perps.sol',
    from: 'if (!_mayFill(taking, maker, position, health)) return false;',
    to: '_requireTaker(taking, maker);\n            if (!_mayFill(taking, maker, position, health)) return false;',
    by: QUOTES,
  },
  {
    name: 'nobody cancels the orders of an account without a position',
    file: 'Distressed.sol',
    from: 'return health.equity < int256(health.exposureMargin);',
    to: 'return health.equity < int256(health.maintenanceMargin);',
    by: QUOTES,
  },
  {
    name: 'orders without margin are depth',
    file: 'Depth.sol',
    from: '(_isBelow(_favouredHealth(account)) ? UNBACKED : 0)',
    to: '0',
    by: QUOTES,
  },
  {
    name: 'a thin book alone closes a position',
    file: 'Distressed.sol',
    from: 'quote.index * step / 1e18, quote.earlier * step / 1e18]',
    to: 'quote.markPerLot, quote.markPerLot]',
    by: BIDDER,
  },
  {
    name: 'a forced order is sold to the only bidder at once',
    file: 'Liquidation.sol',
    from: 'if (elapsed > OPENING_SECONDS) elapsed = OPENING_SECONDS;',
    to: 'elapsed = OPENING_SECONDS;',
    by: BIDDER,
  },
  {
    name: 'a limit that has opened stays open',
    file: 'Liquidation.sol',
    from: 'starts = block.timestamp > sighting.lastTime + SEEN_SECONDS;',
    to: 'starts = sighting.lastTime == 0;',
    by: BIDDER,
  },
  {
    name: 'what a poke passes over stays in its way',
    file: 'Depth.sol',
    from: '_pull(scan.market, id, order, reason);',
    to: '',
    by: WALL,
  },
  {
    name: 'a nominee moves its position to another account',
    file: 'Deleveraging.sol',
    from: '_freeze(_positions[market][winner], openedTime + uint40(NOMINATION_VOID_SECONDS));',
    to: '',
    by: LEAVE,
  },
  {
    name: 'a nominee is taken out by an order that rests',
    file: 'Perps.sol',
    from: 'if (position.isFrozen()) return false;',
    to: '',
    by: LEAVE,
  },
  {
    name: 'a maker opens beside a price in doubt',
    file: 'Perps.sol',
    from: '2 * health.maintenanceMargin + health.staleNotional / STALE_DIVISOR',
    to: '2 * health.maintenanceMargin',
    by: 'test/regressions/MakersInDoubt.t.sol',
    afterFuzz: true,
  },
  {
    name: 'a winner of a few lots ranks as high as any',
    file: 'Deleveraging.sol',
    from: 'score += LARGE;',
    to: '',
    by: 'test/regressions/WinnersOfAFewLots.t.sol',
    afterFuzz: true,
  },
  {
    name: 'collateral leaves beside a flagged loss',
    file: 'PerpsAdmin.sol',
    from: 'loss.account == NO_ACCOUNT, LossUncovered(',
    to: 'true, LossUncovered(',
    by: LEAVE,
  },
  {
    name: 'collateral is transferred beside a flagged loss',
    file: 'Ledger.sol',
    from: '_requireOpen(to);',
    to: '',
    by: LEAVE,
  },
  {
    name: 'collateral leaves in the second of a price',
    file: 'PushOracle.sol',
    from: 'if (!_isWithin(price, anchor, MOVE_DIVISOR)) movedTime = block.timestamp;',
    to: '',
    by: LEAVE,
  },
  {
    name: 'a loss is cleared that is not covered',
    file: 'Deleveraging.sol',
    from: 'require(!_isUncovered(loss), LossUncovered(AccountId.unwrap(loss.account), loss.market));',
    to: '',
    by: LEAVE,
  },
  {
    name: 'a covered loss leaves no time to flag the next one',
    file: 'Deleveraging.sol',
    from: 'require(block.timestamp >= clearTime, ClearTooSoon(clearTime));',
    to: '',
    by: LEAVE,
  },
]
