// Transactions that fund a devnet wallet with tokens and gas money.
import { TEST_MONEY as AMOUNTS } from '@openvenue/core/test-money'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { toRaw } from '../numbers.ts'
import type { Address, Hex } from '../signing/typed-data.ts'
import type { SigningVenue } from '../signing/venue.ts'

/** Amounts that a devnet gives, in whole units, and the index of the paying account of its node. */
export const TEST_MONEY = AMOUNTS

/** One part of the test money with its transaction. */
type TestMoney = Readonly<{
  /** `gas`, or the symbol of a token. */
  token: string
  /** Amount in whole units. */
  amount: string
  /** Parameters of `eth_sendTransaction`; the devnet's node signs for the paying account. */
  tx: Readonly<{ from: Address; to: Address; gas: Hex; data?: Hex; value?: Hex }>
}>

const GAS_DECIMALS = 18
const GAS_LIMIT = 400_000
/** Minting of devnet tokens is open to anyone. */
const MINT = /* @__PURE__ */ parseAbi(['function mint(address to, uint256 amount)'])

/**
 * Returns the transactions that give a wallet its test money. `accounts` is the result of
 * `eth_accounts` of the devnet's node; undefined if the paying account is not among them.
 */
export function testMoney(
  { info }: SigningVenue,
  accounts: readonly Address[],
  to: Address,
): readonly TestMoney[] | undefined {
  const from = accounts[TEST_MONEY.payerIndex]
  if (from === undefined) return undefined
  const gas = numberToHex(GAS_LIMIT)
  const amounts: Readonly<Record<string, string>> = TEST_MONEY.tokens
  const tokens = info.tokens.flatMap(({ symbol, address, decimals }) => {
    const amount = amounts[symbol]
    if (amount === undefined) return []
    const args = [to, toRaw(amount, decimals)] as const
    const data = encodeFunctionData({ abi: MINT, functionName: 'mint', args })
    return [{ token: symbol, amount, tx: { from, to: address as Address, gas, data } }]
  })
  const value = numberToHex(toRaw(TEST_MONEY.gas, GAS_DECIMALS))
  return [...tokens, { token: 'gas', amount: TEST_MONEY.gas, tx: { from, to, gas, value } }]
}
