// Bugs in the permissions of cancellers.
import type { Mutant } from './mutant.ts'

const CANCELLERS = 'test/accounts/Cancellers.t.sol'
const CANCEL_FOR = 'test/signed/CancelFor.t.sol'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an account that was not allowed cancels for another',
    file: 'Matching.sol',
    from: 'block.timestamp < accounts.cancellerExpiry(account, msg.sender),',
    to: 'account != 0,',
    by: CANCEL_FOR,
  },
  {
    name: 'a canceller outlives its expiry',
    file: 'Matching.sol',
    from: 'block.timestamp < accounts.cancellerExpiry(account, msg.sender),',
    to: 'accounts.cancellerExpiry(account, msg.sender) != 0,',
    by: CANCEL_FOR,
  },
  {
    name: 'a canceller may place, as a key',
    file: 'Accounts.sol',
    from: 'known.expiry = uint40(expiry);',
    to: 'known.expiry = uint40(expiry); (_entries[canceller].account, _entries[canceller].expiry) = (account, uint40(expiry));',
  },
  {
    name: 'a canceller outlives the key that allowed it',
    file: 'Accounts.sol',
    from: 'key != address(0) && block.timestamp >= _entries[key].expiry',
    to: 'false',
    by: 'test/regressions/CancellersThatOutliveTheKey.t.sol',
  },
  {
    name: 'a message that was not sent yet undoes a revocation',
    file: 'Accounts.sol',
    from: '(known.expiry, known.allowedExpiry) = (0, SPENT);',
    to: 'known.expiry = 0;',
    by: 'test/regressions/CancellersThatOutliveTheKey.t.sol',
  },
  {
    name: 'an old message undoes a revocation',
    file: 'Accounts.sol',
    from: 'if (expiry <= allowedExpiry) {',
    to: 'if (expiry <= cancellerExpiry(account, canceller)) {',
    by: CANCELLERS,
  },
  {
    name: 'an account allows a canceller for another',
    file: 'Accounts.sol',
    from: 'require(account != 0 && ownerOf[account] == who, NotTrader(wallet, who));',
    to: 'require(account != 0, NotTrader(wallet, who));',
    by: CANCELLERS,
  },
  {
    name: 'code of a wallet hides its private key',
    file: 'Accounts.sol',
    from: 'if (signer != address(0) && signer == signatory) return true;',
    to: 'if (signer == signatory && signatory.code.length == 0) return true;',
    by: CANCELLERS,
  },
  {
    name: 'a permit that was already submitted stops the deposit',
    file: 'Ledger.sol',
    from: 'done || IERC20Permit(token).allowance(msg.sender, address(this)) >= amount,',
    to: 'done,',
    by: 'test/spot/Permit.t.sol',
  },
]
