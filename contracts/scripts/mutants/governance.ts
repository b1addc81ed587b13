// Bugs in the restrictions of the timelock.
import type { Mutant } from './mutant.ts'

const BY = 'test/governance/Governance.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a fee takes the whole margin',
    file: 'PerpsAdmin.sol',
    from: 'feeOfMargin <= FEE_LEVERAGE_MAX',
    to: 'feeOfMargin <= 2 * FEE_LEVERAGE_MAX',
    by: 'test/regressions/FeesBeyondTheMargin.t.sol',
  },
  {
    name: 'an admin of the timelock hands out roles without waiting',
    file: 'Governance.sol',
    from: 'require(admin == address(0), AdminRefused(admin));',
    to: '',
    by: BY,
  },
  {
    name: 'the timelock begins with any delay',
    file: 'Governance.sol',
    from: '_requireDelay(delay);\n        super.initialize(',
    to: 'super.initialize(',
    by: BY,
  },
  {
    name: 'the timelock changes to any delay',
    file: 'Governance.sol',
    from: '_requireDelay(delay);\n        super.setMinDelay(',
    to: 'super.setMinDelay(',
    by: BY,
  },
  {
    name: 'the delay of the timelock is an hour',
    file: 'Governance.sol',
    from: 'DELAY_LOWEST = 1 days;',
    to: 'DELAY_LOWEST = 1 hours;',
    by: BY,
  },
  {
    name: 'a proposal waits for as long as its proposer likes',
    file: 'Governance.sol',
    from: 'require(delay <= DELAY_HIGHEST, DelayOutOfRange(delay, minDelay(), DELAY_HIGHEST));',
    to: '',
    by: BY,
  },
  {
    name: 'what was offered to the timelock stays with the deployer',
    file: 'Governance.sol',
    from: 'owned.acceptOwnership();',
    to: 'owned.pendingOwner();',
    by: BY,
  },
]
