// The transactions that give a wallet of a devnet tokens and money for gas.
import { TEST_MONEY as AMOUNTS } from '@openvenue/core/test-money'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { toRaw } from '../numbers.ts'
import type { Address, Hex } from '../signing/typed-data.ts'
import type { SigningVenue } from '../signing/venue.ts'

/** What a devnet gives, in whole units, and which account of its node pays. */
export const TEST_MONEY = AMOUNTS

/** A part of the test money, and the transaction that gives it. */
export type TestMoney = Readonly<{
  /** `gas`, or the symbol of a token. */
  token: string
  /** In whole units. */
  amount: string
  /** For `eth_sendTransaction` of the devnet's node, which signs for who pays. */
  tx: Readonly<{ from: Address; to: Address; gas: Hex; data?: Hex; value?: Hex }>
}>

const GAS_DECIMALS = 18
const GAS_LIMIT = 400_000
/** Anyone may mint a token of the devnet. */
const MINT = /* @__PURE__ */ parseAbi(['function mint(address to, uint256 amount)'])

/**
 * Returns what gives a wallet its test money. `accounts` are those of the devnet's node, by
 * `eth_accounts`; undefined where the account that pays is not among them.
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
