// Bugs that an account which batches calls can exploit: the campaign with an adversary must find
// each.
import type { Mutant } from './mutant.ts'

const by = 'test/perps/invariant/AdversaryInvariants.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a poke counts within its own second',
    file: 'PerpsState.sol',
    from: 'uint32(block.timestamp) > pricing.pokedTime',
    to: 'uint32(block.timestamp) >= pricing.pokedTime',
    by,
    afterFuzz: true,
  },
  {
    name: 'quotes of this second count',
    file: 'Depth.sol',
    from: 'if (id >= scan.firstFresh) {',
    to: 'if (id == 0) {',
    by,
  },
  {
    name: 'one sample moves the mark as far as it likes',
    file: 'Funding.sol',
    from: 'clamp(step, BASIS_STEP_MAX)',
    to: 'step',
    by,
  },
  {
    name: 'the caller of a takeover gets all of its equity',
    file: 'Liquidation.sol',
    from: 'return reward < REWARD_MAX ? reward : REWARD_MAX;',
    to: 'return reward * 100;',
    by,
  },
]
