// Bugs in margins, liquidation, deleveraging and insurance.
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a liquidation fee is paid out in full twice',
    file: 'Liquidation.sol',
    from: '_pay(INSURANCE_ACCOUNT, fee - reward);',
    to: '_pay(INSURANCE_ACCOUNT, fee);',
  },
  {
    name: 'insurance pays what it should get',
    file: 'Liquidation.sol',
    from: '_pay(distress.account, -share);\n        _pay(INSURANCE_ACCOUNT, share);',
    to: '_pay(distress.account, share);\n        _pay(INSURANCE_ACCOUNT, -share);',
  },
  {
    name: 'whoever is near its maintenance margin is liquidated',
    file: 'Liquidation.sol',
    from: 'account != INSURANCE_ACCOUNT && health.equity < int256(health.maintenanceMargin)',
    to: 'account != INSURANCE_ACCOUNT && health.equity < int256(2 * health.maintenanceMargin)',
  },
  {
    name: 'the initial margin is not asked for',
    file: 'Perps.sol',
    from: 'else _requireInitial(health, position, placement);',
    to: 'else if (health.equity < 0) _requireInitial(health, position, placement);',
  },
]
