// What the wallet sends for keys and sub-accounts, with its words.
import {
  type Address,
  collectCall,
  GAS_LIMITS,
  type Money,
  openSubCall,
  revokeKeyCall,
  type SigningVenue,
  transferCall,
} from 'openvenue/signing'
import { encodeFunctionData, parseAbi } from 'viem'
import { moneyText, moneyWords } from '../account/money.ts'
import { callWords } from '../wallet/signing-words.ts'
import type { PlannedCall } from '../wallet/wallet.ts'

const ABI = parseAbi([
  'function allowCanceller(address wallet, address canceller, uint256 expiry)',
  'function revokeCanceller(address wallet, address canceller)',
])

/** Ends a signing key. */
export const planRevokeKey = ({ accounts }: SigningVenue, key: Address): PlannedCall => ({
  text: 'End the signing key of this page, for ever',
  call: revokeKeyCall(accounts, key),
  words: callWords('revoke', [
    ['key', key],
    ['contract', accounts],
  ]),
})

/**
 * Lets somebody cancel orders of an account, also after a revocation, which voids all messages for
 * that canceller.
 */
export const planAllowCanceller = (
  { accounts }: SigningVenue,
  wallet: Address,
  { canceller, expirySeconds }: Readonly<{ canceller: Address; expirySeconds: number }>,
): PlannedCall => ({
  text: 'Let the venue cancel',
  call: {
    to: accounts,
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'allowCanceller',
      args: [wallet, canceller, BigInt(expirySeconds)],
    }),
    gas: GAS_LIMITS.revoke,
  },
  words: callWords('allowCanceller', [
    ['wallet', wallet],
    ['canceller', canceller],
    ['expiry', `${expirySeconds}`],
    ['contract', accounts],
  ]),
})

/** Takes the permission to cancel orders of an account from somebody. */
export const planRevokeCanceller = (
  { accounts }: SigningVenue,
  wallet: Address,
  canceller: Address,
): PlannedCall => ({
  text: 'Let them cancel no more',
  call: {
    to: accounts,
    data: encodeFunctionData({
      ...{ abi: ABI, functionName: 'revokeCanceller', args: [wallet, canceller] },
    }),
    gas: GAS_LIMITS.revoke,
  },
  words: callWords('revokeCanceller', [
    ['wallet', wallet],
    ['canceller', canceller],
    ['contract', accounts],
  ]),
})

/** Opens a sub-account of the wallet. */
export const planOpenSub = ({ accounts }: SigningVenue, index: number): PlannedCall => ({
  text: `Open sub-account ${index}`,
  call: openSubCall(accounts, index),
  words: callWords('openSub', [
    ['index', `${index}`],
    ['contract', accounts],
  ]),
})

/** Gives a sub-account of the wallet free money of its own account. */
export const planGive = (venue: SigningVenue, money: Money, sub: Address): PlannedCall => ({
  text: `Give ${moneyText(venue, money)} to a sub-account`,
  call: transferCall(money, sub),
  words: moneyWords('transfer', venue, money, { members: [['toWallet', sub]] }),
})

/** Takes free money of a sub-account back. */
export const planTakeBack = (venue: SigningVenue, money: Money, sub: Address): PlannedCall => ({
  text: `Take ${moneyText(venue, money)} back from a sub-account`,
  call: collectCall(money, sub),
  words: moneyWords('collect', venue, money, { members: [['sub', sub]] }),
})
