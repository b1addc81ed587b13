// Bugs in the acceptance and timing of prices.
import type { Mutant } from './mutant.ts'

const FORGOTTEN = 'test/regressions/ForgottenAnnouncements.t.sol'
const WICK = 'test/regressions/LiquidationAtAWick.t.sol'
const REFUSAL = 'test/regressions/OldPriceAfterARefusal.t.sol'
const HELD = 'test/regressions/TradingAtAHeldPrice.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an announcement outlives what is reported after it',
    file: 'Endings.sol',
    from: 'require(oracle.changesOf(quote.asset) == ending.changes, EndVoid(market));',
    to: '',
    by: FORGOTTEN,
  },
  {
    name: 'an announcement never expires',
    file: 'Endings.sol',
    from: 'require(block.timestamp < endTime + OPEN_SECONDS, EndExpired(endTime + OPEN_SECONDS));',
    to: '',
    by: FORGOTTEN,
  },
  {
    name: 'a held report does not count as a change',
    file: 'PushOracle.sol',
    from: '_prices[asset].status = PriceStatus.HELD;\n        _feeds[asset].changes += 1;',
    to: '_prices[asset].status = PriceStatus.HELD;',
    by: FORGOTTEN,
  },
  {
    name: 'positions of an ended market end at the mark of now',
    file: 'PerpsState.sol',
    from: 'if (carry.ended) {\n            _quoteEnd',
    to: 'if (carry.ended && market == 0) {\n            _quoteEnd',
    by: 'test/perps/Endings.t.sol',
  },
  {
    name: 'a price of this second is enough to close a position',
    file: 'Distressed.sol',
    from: '[quote.earlierPerLot, quote.index * step / 1e18, quote.earlier * step / 1e18]',
    to: '[quote.markPerLot, quote.index * step / 1e18, quote.markPerLot]',
    by: WICK,
  },
  {
    name: 'new risk needs no margin for the move of its second',
    file: 'Perps.sol',
    from: 'health.initialMargin + health.moved',
    to: 'health.initialMargin',
    by: WICK,
  },
  {
    name: 'a poke measures the book against a price of its second',
    file: 'Marks.sol',
    from: '_sampleOf(market, quote.earlier,',
    to: '_sampleOf(market, quote.index,',
    by: WICK,
  },
  {
    name: 'a refused reading leaves the price before it usable',
    file: 'PriceSource.sol',
    from: 'store.refuse(asset);',
    to: '',
    by: REFUSAL,
  },
  {
    name: 'a call that runs out of gas refuses a price',
    file: 'PriceSource.sol',
    from: 'if (!_isRefusal(bytes4(reason))) LibCall.bubbleUpRevert(reason);',
    to: '',
    by: REFUSAL,
  },
  {
    name: 'a confirmed jump counts in its own second',
    file: 'PushOracle.sol',
    from: '_accept(asset, price, price, time, PriceStatus.RETURNED);',
    to: '_accept(asset, price, price, time, PriceStatus.ACCEPTED);',
    by: HELD,
  },
  {
    name: 'a price near a confirmed jump counts in the same second',
    file: 'PushOracle.sol',
    from: '_accept(asset, price, anchor, time, _statusAfter(newest.status, isOld));',
    to: '_accept(asset, price, anchor, time, PriceStatus.ACCEPTED);',
    by: 'test/oracle/PushOracle.t.sol',
  },
]
