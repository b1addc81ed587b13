// Wallet transactions for keys and sub-accounts, with their descriptions.
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
import { moneyText, moneyWords } from '../../money/worker/money.ts'
import { callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'

const ABI = parseAbi([
  'function allowCanceller(address wallet, address canceller, uint256 expiry)',
  'function revokeCanceller(address wallet, address canceller)',
])

export const planRevokeKey = ({ accounts }: SigningVenue, key: Address): PlannedCall => ({
  text: text.revokeSigningKey,
  call: revokeKeyCall(accounts, key),
  words: callWords('revoke', [
    ['key', key],
    ['contract', accounts],
  ]),
})

/**
 * Allows an address to cancel orders of an account. Also works after a revocation, which voids all
 * messages for that canceller.
 */
export const planAllowCanceller = (
  { accounts }: SigningVenue,
  wallet: Address,
  { canceller, expirySeconds }: Readonly<{ canceller: Address; expirySeconds: number }>,
): PlannedCall => ({
  text: text.letVenueCancel,
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

/** Revokes an address's permission to cancel orders of an account. */
export const planRevokeCanceller = (
  { accounts }: SigningVenue,
  wallet: Address,
  canceller: Address,
): PlannedCall => ({
  text: text.revokeCanceller,
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

export const planOpenSub = ({ accounts }: SigningVenue, index: number): PlannedCall => ({
  text: text.openSubAccount(index),
  call: openSubCall(accounts, index),
  words: callWords('openSub', [
    ['index', `${index}`],
    ['contract', accounts],
  ]),
})

/** Transfers available funds of the wallet's own account to one of its sub-accounts. */
export const planGive = (venue: SigningVenue, money: Money, sub: Address): PlannedCall => ({
  text: text.sendToSubAccount(moneyText(venue, money)),
  call: transferCall(money, sub),
  words: moneyWords('transfer', venue, money, { members: [['toWallet', sub]] }),
})

/** Transfers available funds of a sub-account back. */
export const planTakeBack = (venue: SigningVenue, money: Money, sub: Address): PlannedCall => ({
  text: text.returnFromSubAccount(moneyText(venue, money)),
  call: collectCall(money, sub),
  words: moneyWords('collect', venue, money, { members: [['sub', sub]] }),
})
