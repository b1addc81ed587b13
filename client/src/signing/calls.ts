// Encodes the calls that a wallet sends itself: deposits, withdrawals and sub-accounts.
import { encodeFunctionData, parseAbi } from 'viem'
import { checkInput, checkValue, isText, type MemberChecks, objectOf, wholeFrom } from '../input.ts'
import type { SignedBurn } from './cancel.ts'
import { isHash, isWord } from './checks.ts'
import { isChecked } from './checksum.ts'
import { GAS_LIMITS } from './gas.ts'
import type { SignedPermit } from './permit.ts'
import type { Address, Hex } from './typed-data.ts'

/**
 * A transaction for a wallet to send, with its gas limit, in the form that viem takes. It carries
 * no value.
 */
export type Call = Readonly<{ to: Address; data: Hex; gas: bigint }>

const ABI = /* @__PURE__ */ parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function deposit(address token, uint256 amount)',
  'function depositWithPermit(address token, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function withdraw(address token, uint256 amount, address to)',
  'function transfer(address token, address toWallet, uint256 amount)',
  'function collect(address token, address sub, uint256 amount)',
  'function openSub(uint32 index) returns (uint40 account, address sub)',
  'function revoke(address key)',
  'function setLeverage(uint32 market, uint16 leverage)',
  'struct SignedBurn { address account; uint256 word; uint256 mask; uint256 deadline; }',
  'function burnSigned(SignedBurn message, bytes signature)',
])

/** Engine, token and amount in raw units of the token. */
export type Money = Readonly<{ engine: Address; token: Address; amount: bigint }>

const MONEY: MemberChecks<Money> = { engine: isChecked, token: isChecked, amount: isWord }
/** Names of these members elsewhere. */
const NAMES = { value: 'amount', asset: 'token' }
const PERMIT: MemberChecks<SignedPermit> = {
  deadline: isWord,
  v: /* @__PURE__ */ wholeFrom(27, 28),
  r: isHash,
  s: isHash,
}
const BURN: MemberChecks<SignedBurn> = {
  engine: isChecked,
  message: /* @__PURE__ */ objectOf<SignedBurn['message']>({
    account: isChecked,
    word: isWord,
    mask: isWord,
    deadline: isWord,
  }),
  signature: isText,
}

const isNumber32 = /* @__PURE__ */ wholeFrom(0, 2 ** 32 - 1)
const isLeverage = /* @__PURE__ */ wholeFrom(0, 2 ** 16 - 1)

/** Throws an InputError unless all of these are addresses. */
function checkAddresses(addresses: Readonly<Record<string, unknown>>): void {
  for (const [name, address] of Object.entries(addresses)) checkValue(name, address, isChecked)
}

/** Approves the engine to transfer the tokens of a deposit. */
export function approveCall(money: Money): Call {
  checkInput(money, MONEY, NAMES)
  const { engine, token, amount } = money
  return {
    to: token,
    data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [engine, amount] }),
    gas: GAS_LIMITS.approve,
  }
}

/** Deposits approved tokens to the wallet's account, which the first deposit opens. */
export function depositCall(money: Money): Call {
  checkInput(money, MONEY, NAMES)
  const { engine, token, amount } = money
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'deposit', args: [token, amount] }),
    gas: GAS_LIMITS.deposit,
  }
}

/** Deposits with a permit of {@link signPermit} instead of an approval. */
export function depositWithPermitCall(money: Money, permit: SignedPermit): Call {
  checkInput(money, MONEY, NAMES)
  checkInput(permit, PERMIT)
  const { engine, token, amount } = money
  const { deadline, v, r, s } = permit
  return {
    to: engine,
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'depositWithPermit',
      args: [token, amount, deadline, v, r, s],
    }),
    gas: GAS_LIMITS.depositWithPermit,
  }
}

/** Withdraws free tokens of the wallet's account to any address but a contract of the venue. */
export function withdrawCall(money: Money, to: Address): Call {
  checkInput(money, MONEY, NAMES)
  checkAddresses({ to })
  const { engine, token, amount } = money
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'withdraw', args: [token, amount, to] }),
    gas: GAS_LIMITS.withdraw,
  }
}

/** Transfers free tokens to another account, such as a sub-account. */
export function transferCall(money: Money, to: Address): Call {
  checkInput(money, MONEY, NAMES)
  checkAddresses({ to })
  const { engine, token, amount } = money
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [token, to, amount] }),
    gas: GAS_LIMITS.transfer,
  }
}

/** Transfers free tokens of a sub-account back to its owner. */
export function collectCall(money: Money, sub: Address): Call {
  checkInput(money, MONEY, NAMES)
  checkAddresses({ sub })
  const { engine, token, amount } = money
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'collect', args: [token, sub, amount] }),
    gas: GAS_LIMITS.collect,
  }
}

/** Opens a sub-account of the wallet on the accounts contract. `index` counts from 0. */
export function openSubCall(accounts: Address, index: number): Call {
  checkAddresses({ accounts })
  checkValue('index', index, isNumber32)
  return {
    to: accounts,
    data: encodeFunctionData({ abi: ABI, functionName: 'openSub', args: [index] }),
    gas: GAS_LIMITS.openSub,
  }
}

/** Revokes a signing key permanently on the accounts contract. */
export function revokeKeyCall(accounts: Address, key: Address): Call {
  checkAddresses({ accounts, key })
  return {
    to: accounts,
    data: encodeFunctionData({ abi: ABI, functionName: 'revoke', args: [key] }),
    gas: GAS_LIMITS.revoke,
  }
}

/** Sets the leverage behind an account's initial margin in a perpetual; 0: the market's maximum. */
export function setLeverageCall(
  market: Readonly<{ engine: Address; number: number }>,
  leverage: number,
): Call {
  checkAddresses({ engine: market?.engine })
  checkValue('number', market.number, isNumber32)
  checkValue('leverage', leverage, isLeverage)
  return {
    to: market.engine,
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'setLeverage',
      args: [market.number, leverage],
    }),
    gas: GAS_LIMITS.setLeverage,
  }
}

/** Burns salts, so that their orders can never be placed. Anyone may send it. */
export function burnCall(burn: SignedBurn): Call {
  checkInput(burn, BURN)
  const { engine, message, signature } = burn
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'burnSigned', args: [message, signature] }),
    gas: GAS_LIMITS.burnSigned,
  }
}
