// Bugs in what rests in a book and what a taker meets there.
import type { Mutant } from './mutant.ts'

const DUST = 'test/regressions/DustInFrontOfTheBook.t.sol'
const HELD_BACK = 'test/regressions/HeldBackFromClosing.t.sol'
const SWEEPS = 'test/perps/PerpsSweeps.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a reduce-only maker grows a position',
    file: 'Perps.sol',
    from: 'if (closable < offered) {',
    to: 'if (closable == 0) {',
    by: 'test/perps/PerpsMakers.t.sol',
  },
  {
    name: 'dust rests after a fill',
    file: 'Matching.sol',
    from: 'if (!_isSmall(taking, rest, maker.tick)) return filled;',
    to: 'return filled;',
    by: DUST,
  },
  {
    name: 'dust of a taker, or of a cut, rests',
    file: 'Matching.sol',
    from: 'return _isSmall(taking, taking.left, taking.tick) ? Reason.BELOW_MINIMUM : Reason.USER;',
    to: 'return Reason.USER;',
    by: DUST,
  },
  {
    name: 'dust rests after a reduce',
    file: 'Trimming.sol',
    from: 'if (left < Decimals.unpack(book.state.minOrderFloat)) {',
    to: 'if (left == 0) {',
    by: DUST,
  },
  {
    name: 'what cannot trade costs a fill',
    file: 'Matching.sol',
    from: 'else taking.dropsLeft -= 1;',
    to: 'else taking.fillsLeft -= 1;',
    by: DUST,
  },
  {
    name: 'an order meets makers until its gas is gone',
    file: 'Perps.sol',
    from: 'return gas > FILL_GAS_MAX ? gas - FILL_GAS_MAX : 0;',
    to: 'return gas * 0;',
    by: 'test/regressions/HeavyMakers.t.sol',
  },
  {
    name: 'memory grows over the fills of an order',
    file: 'Matching.sol',
    from: '            _freeAgain(free);\n',
    to: '',
    by: 'test/regressions/HeavyMakers.t.sol',
  },
  {
    name: 'an order may rest for no time',
    file: 'Matching.sol',
    from: '(_mayRest(request) ? RESTING_SECONDS_MIN : 0)',
    to: '(_mayRest(request) ? 0 : 0)',
    by: DUST,
  },
  {
    name: 'no reduce-only order is swept',
    file: 'Distressed.sol',
    from: 'if (!order.isReduceOnly()) return 0;',
    to: 'return 0;',
    by: DUST,
  },
  {
    name: 'a bounty comes from what positions need',
    file: 'Liquidation.sol',
    from: 'int256 spare = health.equity - int256(health.maintenanceMargin);',
    to: 'int256 spare = health.equity;',
    by: SWEEPS,
  },
  {
    name: 'a spot bounty is minted',
    file: 'SpotAdmin.sol',
    from: '_take(order.account, token, bounty);',
    to: '',
    by: 'test/spot/Cancel.t.sol',
  },
  {
    name: 'a reduce-only maker in distress is never filled',
    file: 'Perps.sol',
    from: 'return _isBetter(health, before.equity, before.exposureMargin);',
    to: 'return before.equity < health.equity && false;',
    by: HELD_BACK,
  },
  {
    name: 'a maker in distress may take risk',
    file: 'Perps.sol',
    from: 'if (opens) return false;',
    to: '',
    by: HELD_BACK,
  },
  {
    name: 'the band of a dead mark binds',
    file: 'Perps.sol',
    from: 'if (!taking.postOnly && !placement.quote.stale)',
    to: 'if (!taking.postOnly)',
    by: HELD_BACK,
  },
  {
    name: 'a filled reduce-only maker keeps its reservation',
    file: 'Perps.sol',
    from: 'if (maker.isReduceOnly()) _unreserve(taking.market, maker, lots);',
    to: '',
    by: SWEEPS,
  },
  {
    name: 'a reduce-only order that leaves keeps its reservation',
    file: 'PerpsState.sol',
    from: 'if (order.isReduceOnly()) _unreserve(market, order, lots);',
    to: '',
    by: SWEEPS,
  },
  {
    name: 'a liquidation forgets what reduce-only orders reserve',
    file: 'Liquidation.sol',
    from: 'if (reserved != 0) _reserve(resting, buy, reserved);',
    to: '',
    by: SWEEPS,
  },
  {
    name: 'a tail that leaves its level stays the tail',
    file: 'Book.sol',
    from: 'level.tail = order.prev;',
    to: '',
    by: 'test/spot/Cancel.t.sol',
  },
  {
    name: 'a signed order forgets its most fills',
    file: 'Signed.sol',
    from: 'request.maxFills = order.maxFills;',
    to: '',
    by: 'test/signed/SignedOrders.t.sol',
  },
]
