// Encodes the calls that a wallet sends itself: money in, money out, and sub-accounts.
import { encodeFunctionData, parseAbi } from 'viem'
import type { SignedBurn } from './cancel.ts'
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

/** Lets the engine take the tokens of a deposit. */
export const approveCall = ({ engine, token, amount }: Money): Call => ({
  to: token,
  data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [engine, amount] }),
  gas: GAS_LIMITS.approve,
})

/** Brings approved tokens to the wallet's account, which the first deposit opens. */
export const depositCall = ({ engine, token, amount }: Money): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'deposit', args: [token, amount] }),
  gas: GAS_LIMITS.deposit,
})

/** Deposits with a permit of {@link signPermit} in place of an approval. */
export const depositWithPermitCall = (
  { engine, token, amount }: Money,
  { deadline, v, r, s }: SignedPermit,
): Call => ({
  to: engine,
  data: encodeFunctionData({
    abi: ABI,
    functionName: 'depositWithPermit',
    args: [token, amount, deadline, v, r, s],
  }),
  gas: GAS_LIMITS.depositWithPermit,
})

/** Takes free money of the wallet's account out, `to` anybody but a contract of the venue. */
export const withdrawCall = ({ engine, token, amount }: Money, to: Address): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'withdraw', args: [token, amount, to] }),
  gas: GAS_LIMITS.withdraw,
})

/** Moves free money to another account, such as a sub-account. */
export const transferCall = ({ engine, token, amount }: Money, to: Address): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [token, to, amount] }),
  gas: GAS_LIMITS.transfer,
})

/** Takes free money of a sub-account back to its owner. */
export const collectCall = ({ engine, token, amount }: Money, sub: Address): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'collect', args: [token, sub, amount] }),
  gas: GAS_LIMITS.collect,
})

/** Opens a sub-account of the wallet, at the contract of accounts. `index` is from 0. */
export const openSubCall = (accounts: Address, index: number): Call => ({
  to: accounts,
  data: encodeFunctionData({ abi: ABI, functionName: 'openSub', args: [index] }),
  gas: GAS_LIMITS.openSub,
})

/** Ends a signing key for ever, at the contract of accounts. */
export const revokeKeyCall = (accounts: Address, key: Address): Call => ({
  to: accounts,
  data: encodeFunctionData({ abi: ABI, functionName: 'revoke', args: [key] }),
  gas: GAS_LIMITS.revoke,
})

/** Sets the leverage that the account's initial margin in a perpetual assumes; 0: the market's. */
export const setLeverageCall = (
  { engine, number }: Readonly<{ engine: Address; number: number }>,
  leverage: number,
): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'setLeverage', args: [number, leverage] }),
  gas: GAS_LIMITS.setLeverage,
})

/** Spends salts, so that their orders can never be placed. Anybody may send it. */
export const burnCall = ({ engine, message, signature }: SignedBurn): Call => ({
  to: engine,
  data: encodeFunctionData({ abi: ABI, functionName: 'burnSigned', args: [message, signature] }),
  gas: GAS_LIMITS.burnSigned,
})
