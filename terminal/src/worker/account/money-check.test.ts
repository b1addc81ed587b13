import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Rest } from 'openvenue'
import { SigningVenue } from 'openvenue/signing'
import { checkMoney } from './money-check.ts'

const TOKEN = '0x00000000000000000000000000000000000000c1'
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: { perps: { address: '0x00000000000000000000000000000000000000e1' } },
    tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6 }],
  } as never,
  [],
)
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const USDC = 1_000_000n

/** A chain with 100 USDC in the wallet, and a limit on what leaves. */
function check(
  amount: string,
  outflow: string | Error = `0x${word(10_000n)}${word(0n)}${word(0n)}`,
  own?: Rest,
) {
  const request = async (_: string, [call]: readonly unknown[]) => {
    const { to } = call as Readonly<{ to: string }>
    if (to === TOKEN) return `0x${word(100n * USDC)}`
    if (outflow instanceof Error) throw outflow
    return outflow
  }
  const parts = { venue: VENUE, request, address: TOKEN, own } as const
  return checkMoney(parts, { engine: 'perps', symbol: 'USDC', amount })
}

describe('an amount', () => {
  test('that is right has nothing said of it, and the most is all that there is', async () => {
    for (const amount of ['', '100', '99.999999', '1.5000000', ' 1,0 '])
      assert.deepEqual(
        await check(amount),
        { deposit: '', withdraw: '', depositMax: '100', withdrawMax: '', limit: '' },
        amount,
      )
  })

  test('that is more than there is, no number, too fine or nothing has that said', async () => {
    for (const [amount, words] of [
      ['100.000001', /the wallet has 100 USDC/],
      ['1e3', /is no amount/],
      ['-5', /is no amount/],
      ['0.0000001', /USDC has 6 decimals: the amount has 7/],
      ['0', /above zero/],
    ] as const)
      assert.match((await check(amount)).deposit, words)
  })

  test('has the limit of the venue said, and what is beyond it', async () => {
    const limited = `0x${word(2_500n)}${word(5n * USDC)}${word(20n * USDC)}`
    const { withdraw, deposit, limit } = await check('25.000001', limited)
    assert.equal(deposit, '')
    assert.equal(withdraw, 'the venue lets 25 USDC leave now: there is more room within an hour')
    assert.match(limit, /^At most 25 % .* 20 USDC now\. The limit is whole again within an hour\.$/)
    assert.equal((await check('25', limited)).withdraw, '')
    const spent = `0x${word(2_500n)}${word(0n)}${word(-3n * USDC)}`
    assert.match((await check('1', spent)).withdraw, /lets 0 USDC leave/)
  })

  test('leaves as far as the venue lets it, which with a position is less than is free', async () => {
    const of = { collateral_asset: 'USDC', instrument_type: 'PERPETUAL' }
    const collaterals = [{ ...of, available_balance: '70', withdrawable_balance: '40' }]
    const own = { call: async () => ({ collaterals }) } as unknown as Rest
    assert.equal((await check('40', undefined, own)).withdraw, '')
    const { withdraw, withdrawMax } = await check('40.000001', undefined, own)
    assert.equal(withdraw, '40 USDC are free to leave')
    assert.equal(withdrawMax, '40')
  })

  test('is checked without a limit where the engine says none', async () => {
    assert.equal((await check('1', new Error('reverted'))).limit, '')
    assert.equal((await check('1', '0x')).limit, '')
  })
})
