// Says in words what is about to be signed or sent, before anybody does. The ERC-7730 descriptors,
// by which wallets say it themselves, are made from the same words.
import type { TypedData } from 'openvenue/signing'
import type { Words } from './wallet-protocol.ts'

/** What each message does. */
export const MESSAGE_TITLES: Readonly<Record<string, string>> = {
  Register: 'Make an API key for your account',
  RegisterFor: 'Make an API key for your sub-account',
  SignKey: 'Prove that this signing key is yours',
  RegisterKey: 'Let a signing key place and cancel orders for you. It cannot withdraw.',
  AcceptKey: 'Let this key sign orders of the account',
  AllowCanceller: 'Let the venue cancel your orders, and nothing else',
  Order: 'Place an order',
  Cancel: 'Cancel orders',
  CancelAll: 'Cancel all orders of a market',
  Burn: 'Make unused orders void for ever',
  Permit: 'Let the venue take tokens of a deposit',
}

/** What each call does that the page has a wallet send. */
export const CALL_TITLES = {
  approve: 'Let the venue take tokens for a deposit',
  deposit: 'Deposit to your account',
  approveAndDeposit: 'Let the venue take tokens, and deposit them to your account',
  withdraw: 'Withdraw to your wallet',
  transfer: 'Move free money to another account',
  collect: 'Take free money back from a sub-account',
  openSub: 'Open a sub-account',
  revoke: 'End a signing key for ever',
  allowCanceller: 'Let somebody cancel your orders',
  revokeCanceller: 'No longer let somebody cancel your orders',
  setLeverage: 'Set your greatest leverage in a market',
  cancelAll: 'Cancel orders on the chain, by your wallet',
  place: 'Place an order on the chain, by your wallet',
} as const
export type CallName = keyof typeof CALL_TITLES

/** The words of a call: without them no wallet is asked to send it. */
export type CallWords = Words & Readonly<{ call: CallName }>

/** What each member is called; one that is something else in a message has that before it. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  account: 'Account',
  key: 'Signing key',
  expiry: 'Until',
  canceller: 'Who may cancel',
  market: 'Market number',
  isBuy: 'Buys',
  buy: 'Buys',
  tick: 'Worst price, in steps',
  lots: 'Amount, in steps',
  limitPrice: 'Worst price, in steps',
  amount: 'Amount',
  'Order.amount': 'Amount, in steps',
  timeInForce: 'Time in force',
  reduceOnly: 'Reduces only',
  triggerKind: 'Trigger',
  triggerPrice: 'Trigger price, in steps',
  goodTil: 'Rests until',
  maxFills: 'Makers at most',
  replaces: 'Replaces',
  replacesAmount: 'Left of the replaced order, in steps',
  salt: 'Salt',
  deadline: 'To be sent until',
  orders: 'Orders',
  word: 'Word of salts',
  mask: 'Salts of the word',
  owner: 'Owner',
  spender: 'Who may take',
  value: 'Amount',
  nonce: 'Number of the permit',
  token: 'Token',
  to: 'To',
  toWallet: 'To the account of',
  sub: 'Sub-account',
  index: 'Number of the sub-account',
  wallet: 'Account',
  leverage: 'Leverage at most',
  contract: 'Contract',
  verifyingContract: 'Contract',
}

/** What numbers of a member mean. */
export const MEMBER_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  timeInForce: {
    0: 'until cancelled',
    1: 'at once or not at all, in part too',
    2: 'at once, all or nothing',
    3: 'post-only: rests or is refused',
  },
  triggerKind: { 0: 'none', 1: 'mark at or above', 2: 'mark at or below' },
}

/** Members that are Unix seconds. */
export const DATES: ReadonlySet<string> = new Set(['expiry', 'deadline', 'goodTil'])

const MS_PER_SECOND = 1000
/** Above it no date is written: it is as good as never. */
const SECONDS_MAX = 8.64e12

/** Returns every member that is signed, none left out, with the contract that will read it. */
export function signingWords({ domain, primaryType, message }: TypedData): Words {
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
 * Returns the words of a call: what is `said` of it first, then its members by their names, with
 * their values as a wallet shows them that knows the descriptors.
 */
export const callWords = (
  name: CallName,
  members: readonly (readonly [name: string, value: string])[],
  said: Words['lines'] = [],
): CallWords => ({
  call: name,
  title: CALL_TITLES[name],
  lines: [...said, ...members.map(([member, value]) => line(member, value, name))],
})

/** Returns what a member of a message or a call is called. */
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
