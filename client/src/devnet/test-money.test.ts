import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeFunctionData, parseAbi } from 'viem'
import type { Address } from '../signing/typed-data.ts'
import { SigningVenue } from '../signing/venue.ts'
import { TEST_MONEY, testMoney } from './test-money.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [WALLET, USDC, OTHER] = [address('a'), address('b'), address('c')]
const ACCOUNTS = Array.from({ length: 5 }, (_, index) => address(`${index}`))
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: {},
    tokens: [
      { symbol: 'USDC', address: USDC, decimals: 6 },
      { symbol: 'NEW', address: OTHER, decimals: 18 },
    ],
  } as never,
  [],
)
const ABI = parseAbi(['function mint(address to, uint256 amount)'])

describe('Test money of a devnet', () => {
  test('testMoney mints each listed token in raw units and sends gas money', () => {
    const [usdc, gas, ...others] = testMoney(VENUE, ACCOUNTS, WALLET) ?? []
    assert.deepEqual(others, [], 'a token without an amount is not minted')
    assert.deepEqual([usdc?.token, usdc?.amount, usdc?.tx.to], ['USDC', '100000', USDC])
    const { args } = decodeFunctionData({ abi: ABI, data: usdc?.tx.data ?? '0x' })
    assert.deepEqual([args[0].toLowerCase(), args[1]], [WALLET, 100_000_000_000n])
    assert.deepEqual([gas?.token, gas?.amount, gas?.tx.to], ['gas', '10', WALLET])
    assert.equal(BigInt(gas?.tx.value ?? '0x0'), 10n * 10n ** 18n)
    for (const { tx } of [usdc, gas].flatMap((grants) => grants ?? []))
      assert.equal(tx.from, ACCOUNTS[TEST_MONEY.payerIndex])
  })

  test('testMoney is undefined for a node without the accounts of a devnet', () => {
    assert.equal(testMoney(VENUE, [], WALLET), undefined)
    assert.equal(testMoney(VENUE, ACCOUNTS.slice(0, 4), WALLET), undefined)
  })
})
