// Bugs that let one market use more of insurance than its share, or lose it by closing.
import type { Mutant } from './mutant.ts'

const FUND = 'test/regressions/OneMarketTakesTheFund.t.sol'
const RULES = 'test/perps/Insurance.t.sol'
const ABSORB = 'test/perps/LiquidationAbsorb.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'insurance holds a position of any size',
    file: 'Insurance.sol',
    from: 'growth = most > held ? most - held : 0;',
    to: 'growth = lots;',
    by: FUND,
    afterFuzz: true,
  },
  {
    name: 'insurance needs no margin of its own',
    file: 'Insurance.sol',
    from: 'int256 needed = int256(distress.margin) - share;',
    to: 'int256 needed = -share;',
    by: ABSORB,
  },
  {
    name: 'a market costs insurance what it likes',
    file: 'Insurance.sol',
    from: 'int256 left = fund * int256(uint256(cover.lossBps)) / int256(BPS) - cost;',
    to: 'int256 left = fund;',
    by: FUND,
  },
  {
    name: 'what a market has cost is forgotten once the position is closed',
    file: 'Insurance.sol',
    from: 'if (paid < 0 && _positions',
    to: 'if (_positions',
    by: FUND,
  },
  {
    name: 'what has won may grow while insurance is below zero',
    file: 'Insurance.sol',
    from: 'return left < insured ? left : insured;',
    to: 'return left;',
    by: RULES,
  },
  {
    name: 'below zero insurance keeps a position from winners',
    file: 'Insurance.sol',
    from: 'insured + share < 0',
    to: 'false',
    by: RULES,
  },
  {
    name: 'what a market has brought once may be lost there for ever',
    file: 'Insurance.sol',
    from: 'if (paid < 0 && _positions[market][INSURANCE_ACCOUNT].lots == 0) paid = 0;',
    to: '',
    by: RULES,
  },
  {
    name: 'a part of any size is taken over',
    file: 'Insurance.sol',
    from: 'if (room * PARTS < lots) room = 0;',
    to: '',
    by: RULES,
  },
  {
    name: 'a market that has cost its part keeps the position',
    file: 'Deleveraging.sol',
    from: 'return _leftOf(distress.market, insured, _bestOf(distress)) < 0 ? lots : 0;',
    to: 'return insured < 0 ? lots : 0;',
    by: FUND,
  },
  {
    name: 'winners take what insurance may',
    file: 'Deleveraging.sol',
    from: 'return lots - room;',
    to: 'return room == lots ? 0 : lots;',
    by: RULES,
  },
  {
    name: 'insurance above zero gives away what it has',
    file: 'Deleveraging.sol',
    from: 'bool keeps = distress.account == INSURANCE_ACCOUNT && distress.favoured.equity >= 0;',
    to: 'bool keeps = false;',
    by: RULES,
  },
  {
    name: 'a price of this second closes insurance',
    file: 'Deleveraging.sol',
    from: '_bestOf(distress)) < 0 ? lots : 0;',
    to: 'distress.quote.markPerLot) < 0 ? lots : 0;',
    by: RULES,
  },
  {
    name: 'winners buy from insurance at a price of this second',
    file: 'Deleveraging.sol',
    from: '? int256(Positions.abs(int256(_bestOf(distress)) - int256(distress.quote.markPerLot)))',
    to: '? int256(0)',
    by: RULES,
  },
  {
    name: 'insurance sells below the mark',
    file: 'Fund.sol',
    from: '_bestPerLot(market, quote, !buy)',
    to: '_bestPerLot(market, quote, buy)',
    by: RULES,
  },
  {
    name: 'what unwinding costs is not counted',
    file: 'Fund.sol',
    from: '_count(market, held);\n',
    to: '',
    by: RULES,
  },
  {
    name: 'a reward to the wallet of insurance counts as a gain in the market',
    file: 'Fund.sol',
    from: `        _count(market, held);
        _rewardFromFees(_tradeReward(market, closed * quote.markPerLot));`,
    to: `        _rewardFromFees(_tradeReward(market, closed * quote.markPerLot));
        _count(market, held);`,
    by: RULES,
  },
  {
    name: 'unwinding is paid whatever the fees are',
    file: 'Distressed.sol',
    from: 'uint256 rate = uint256(int256(limits.makerFee) + limits.takerFee) / 2;',
    to: 'uint256 rate = REWARD_MILLIONTHS;',
    by: RULES,
  },
  {
    name: 'the guardian raises a cover',
    file: 'Fund.sol',
    from: 'require(tightens, NotTighter(market));',
    to: '',
    by: RULES,
  },
  {
    name: 'the guardian has what was lost forgotten',
    file: 'Fund.sol',
    from: 'Cover(maxNotional, lossBps, cover.paid)',
    to: 'Cover(maxNotional, lossBps, 0)',
    by: RULES,
  },
]
