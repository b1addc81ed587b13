// Bugs in who may act for an account, and in what moves money out.
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: "anybody's key signs for an account",
    file: 'Accounts.sol',
    from: 'return walletOf[account] == wallet && entry.expiry != WALLET ? account : 0;',
    to: 'return entry.expiry != WALLET ? _entries[wallet].account : 0;',
  },
  {
    name: 'a revoked key revives',
    file: 'Accounts.sol',
    from: 'require(entry.expiry != DEAD, KeyDead(key));\n        }',
    to: '}',
  },
]
