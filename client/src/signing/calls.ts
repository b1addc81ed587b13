// Encodes the calls that a wallet sends itself: money in, money out, and sub-accounts.
import { encodeFunctionData, parseAbi } from 'viem'
import { checkInput, checkValue, isText, type Members, objectOf, wholeFrom } from '../input.ts'
import type { SignedBurn } from './cancel.ts'
import { isHash, isWord } from './checks.ts'
import { isChecked } from './checksum.ts'
import { GAS_LIMITS } from './gas.ts'
import type { SignedPermit } from './permit.ts'
import type { Address, Hex } from './typed-data.ts'

/**
 * A transaction for a wallet to send, with the gas that it is given: viem takes it as it is. It
 * carries no value.
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

/** An engine, a token and how much of it, in raw units of the token. */
export type Money = Readonly<{ engine: Address; token: Address; amount: bigint }>

const MONEY: Members<Money> = { engine: isChecked, token: isChecked, amount: isWord }
/** Names of what else says how much and where. */
const NAMES = { value: 'amount', asset: 'token' }
const PERMIT: Members<SignedPermit> = {
  deadline: isWord,
  v: /* @__PURE__ */ wholeFrom(27, 28),
  r: isHash,
  s: isHash,
}
const BURN: Members<SignedBurn> = {
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

/** Throws where one of these is not an address. */
function checkAddresses(addresses: Readonly<Record<string, unknown>>): void {
  for (const [name, address] of Object.entries(addresses)) checkValue(name, address, isChecked)
}

/** Lets the engine take the tokens of a deposit. */
export function approveCall(money: Money): Call {
  checkInput(money, MONEY, NAMES)
  const { engine, token, amount } = money
  return {
    to: token,
    data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [engine, amount] }),
    gas: GAS_LIMITS.approve,
  }
}

/** Brings approved tokens to the wallet's account, which the first deposit opens. */
export function depositCall(money: Money): Call {
  checkInput(money, MONEY, NAMES)
  const { engine, token, amount } = money
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'deposit', args: [token, amount] }),
    gas: GAS_LIMITS.deposit,
  }
}

/** Deposits with a permit of {@link signPermit} in place of an approval. */
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

/** Takes free money of the wallet's account out, `to` anybody but a contract of the venue. */
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

/** Moves free money to another account, such as a sub-account. */
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

/** Takes free money of a sub-account back to its owner. */
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

/** Opens a sub-account of the wallet, at the contract of accounts. `index` is from 0. */
export function openSubCall(accounts: Address, index: number): Call {
  checkAddresses({ accounts })
  checkValue('index', index, isNumber32)
  return {
    to: accounts,
    data: encodeFunctionData({ abi: ABI, functionName: 'openSub', args: [index] }),
    gas: GAS_LIMITS.openSub,
  }
}

/** Ends a signing key for ever, at the contract of accounts. */
export function revokeKeyCall(accounts: Address, key: Address): Call {
  checkAddresses({ accounts, key })
  return {
    to: accounts,
    data: encodeFunctionData({ abi: ABI, functionName: 'revoke', args: [key] }),
    gas: GAS_LIMITS.revoke,
  }
}

/** Sets the leverage that the account's initial margin in a perpetual assumes; 0: the market's. */
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

/** Spends salts, so that their orders can never be placed. Anybody may send it. */
export function burnCall(burn: SignedBurn): Call {
  checkInput(burn, BURN)
  const { engine, message, signature } = burn
  return {
    to: engine,
    data: encodeFunctionData({ abi: ABI, functionName: 'burnSigned', args: [message, signature] }),
    gas: GAS_LIMITS.burnSigned,
  }
}
