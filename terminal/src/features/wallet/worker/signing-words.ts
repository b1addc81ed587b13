// Describes messages and calls before they are signed or sent. The ERC-7730 descriptors, with which
// wallets show them, are generated from the same texts.
import type { TypedData } from 'openvenue/signing'
import type { RequestSummary } from '../wallet-protocol.ts'

export const MESSAGE_TITLES: Readonly<Record<string, string>> = {
  Register: 'Create an API key for your account',
  RegisterFor: 'Create an API key for your sub-account',
  SignKey: 'Prove that this signing key is yours',
  RegisterKey: 'Let a signing key place and cancel orders for you. It cannot withdraw.',
  AcceptKey: 'Let this key sign orders of the account',
  AllowCanceller: 'Let the venue cancel your orders, nothing else',
  Order: 'Place an order',
  Cancel: 'Cancel orders',
  CancelAll: 'Cancel all orders of a market',
  Burn: 'Void unused orders permanently',
  Permit: 'Approve the tokens of a deposit',
}

/** Title of each call that the page has a wallet send. */
export const CALL_TITLES = {
  approve: 'Approve tokens for a deposit',
  deposit: 'Deposit to your account',
  approveAndDeposit: 'Approve tokens and deposit them to your account',
  withdraw: 'Withdraw to your wallet',
  transfer: 'Move available funds to another account',
  collect: 'Return available funds from a sub-account',
  openSub: 'Open a sub-account',
  revoke: 'Revoke a signing key',
  allowCanceller: 'Allow a canceller of your orders',
  revokeCanceller: 'Revoke a canceller of your orders',
  setLeverage: 'Set your max leverage in a market',
  cancelAll: 'Cancel orders on chain from your wallet',
  place: 'Place an order on chain from your wallet',
} as const
export type CallName = keyof typeof CALL_TITLES

/** The description of a call. It is required: no call is sent without one. */
export type CallSummary = RequestSummary & Readonly<{ call: CallName }>

/** Label of each member. A prefix selects a message in which the label differs. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  account: 'Account',
  key: 'Signing key',
  expiry: 'Until',
  canceller: 'Canceller',
  market: 'Market number',
  isBuy: 'Buys',
  buy: 'Buys',
  tick: 'Price limit, in steps',
  lots: 'Amount, in steps',
  limitPrice: 'Price limit, in steps',
  amount: 'Amount',
  'Order.amount': 'Amount, in steps',
  timeInForce: 'Time in force',
  reduceOnly: 'Reduce-only',
  triggerKind: 'Trigger',
  triggerPrice: 'Trigger price, in steps',
  goodTil: 'Good til',
  maxFills: 'Max fills',
  replaces: 'Replaces',
  replacesAmount: 'Replaced order remaining, in steps',
  salt: 'Salt',
  deadline: 'Submit before',
  orders: 'Orders',
  word: 'Salt word',
  mask: 'Salt mask',
  owner: 'Owner',
  spender: 'Spender',
  value: 'Amount',
  nonce: 'Permit nonce',
  token: 'Token',
  to: 'To',
  toWallet: 'Account of wallet',
  sub: 'Sub-account',
  index: 'Sub-account index',
  wallet: 'Account',
  leverage: 'Max leverage',
  contract: 'Contract',
  verifyingContract: 'Contract',
}

/** Meaning of a member's numeric values. */
export const MEMBER_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  timeInForce: {
    0: 'good til cancelled',
    1: 'immediate or cancel',
    2: 'fill or kill',
    3: 'post-only',
  },
  triggerKind: { 0: 'none', 1: 'mark at or above', 2: 'mark at or below' },
}

/** Members that are Unix seconds. */
export const DATES: ReadonlySet<string> = new Set(['expiry', 'deadline', 'goodTil'])

const MS_PER_SECOND = 1000
/** Largest time that is shown as a date; later ones mean never. */
const SECONDS_MAX = 8.64e12

/** Returns every signed member, with the contract that verifies the message. */
export function signingWords({ domain, primaryType, message }: TypedData): RequestSummary {
  const members = Object.entries(message).map(([name, value]) =>
    line(name, `${value}`, primaryType),
  )
  const { verifyingContract } = domain
  const contract =
    verifyingContract === undefined
      ? []
      : [line('verifyingContract', verifyingContract, primaryType)]
  return {
    title: MESSAGE_TITLES[primaryType] ?? primaryType,
    lines: [...members, ...contract, ['Chain', `${domain.chainId}`]],
  }
}

/**
 * Returns the description of a call: the lines in front, then its members by label, with values
 * formatted as by a wallet that knows the descriptors.
 */
export const callWords = (
  name: CallName,
  members: readonly (readonly [name: string, value: string])[],
  said: RequestSummary['lines'] = [],
): CallSummary => ({
  call: name,
  title: CALL_TITLES[name],
  lines: [...said, ...members.map(([member, value]) => line(member, value, name))],
})

/** Returns the label of a member of a message or a call. */
export const memberName = (name: string, of: string): string =>
  MEMBER_NAMES[`${of}.${name}`] ?? MEMBER_NAMES[name] ?? name

const line = (name: string, value: string, of: string): readonly [string, string] => [
  memberName(name, of),
  DATES.has(name) ? dateText(value) : (MEMBER_VALUES[name]?.[value] ?? value),
]

function dateText(seconds: string): string {
  if (seconds === '0') return 'no end'
  if (!(Number(seconds) < SECONDS_MAX)) return 'never'
  const text = new Date(Number(seconds) * MS_PER_SECOND).toISOString()
  return text.replace('T', ' ').replace('.000Z', ' UTC')
}
