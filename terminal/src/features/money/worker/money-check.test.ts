import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Rest } from 'openvenue'
import { SigningVenue } from 'openvenue/signing'
import { toFunctionSelector } from 'viem'
import { checkMoney, requireDepositRoom } from './money-check.ts'

const TOKEN = '0x00000000000000000000000000000000000000c1'
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: {
      accounts: { address: '0x00000000000000000000000000000000000000a1' },
      perps: { address: '0x00000000000000000000000000000000000000e1' },
    },
    tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6 }],
  } as never,
  [],
)
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const USDC = 1_000_000n

const CAP_NONE = 2n ** 96n - 1n
const UNLIMITED = `0x${word(10_000n)}${word(0n)}${word(0n)}`

/** Caps on deposits. The engine holds 100 USDC of others, and 40 of the wallet's account. */
type Caps = Readonly<{ total?: bigint; perAccount?: bigint }>

/** A chain with 100 USDC in the wallet, and limits on withdrawals and deposits. */
function chainOf(outflow: string | Error, { total = CAP_NONE, perAccount = CAP_NONE }: Caps) {
  const answers: Readonly<Record<string, string>> = {
    [toFunctionSelector('balanceOf(address)')]: `0x${word(100n * USDC)}`,
    [toFunctionSelector('depositCapOf(address)')]: `0x${word(total)}${word(perAccount)}`,
    [toFunctionSelector('accountOf(address)')]: `0x${word(7n)}`,
    [toFunctionSelector('holdingOf(uint40)')]:
      `0x${word(40n * 10n ** 18n)}${word(0n)}${word(0n)}${word(0n)}`,
  }
  return async (_: string, [call]: readonly unknown[]) => {
    const { data } = call as Readonly<{ data: string }>
    const answer = answers[data.slice(0, 10)]
    if (answer !== undefined) return answer
    if (outflow instanceof Error) throw outflow
    return outflow
  }
}

const formOf = (amount: string) => ({ engine: 'perps', symbol: 'USDC', amount }) as const

function check(
  amount: string,
  outflow: string | Error = UNLIMITED,
  accountRest?: Rest,
  caps: Caps = {},
) {
  const parts = {
    venue: VENUE,
    request: chainOf(outflow, caps),
    address: TOKEN,
    accountRest,
  } as const
  return checkMoney(parts, formOf(amount))
}

describe('an amount of money', () => {
  test('a valid amount of money has no problem, and its maximum is the whole balance', async () => {
    for (const amount of ['', '100', '99.999999', '1.5000000', ' 1,0 '])
      assert.deepEqual(
        await check(amount),
        {
          ...{ deposit: '', withdraw: '', inWallet: '100', depositMax: '100', withdrawMax: '' },
          ...{ depositLeft: '', limit: '' },
        },
        amount,
      )
  })

  test('an amount that is too large, too precise, zero or not a number is reported', async () => {
    for (const [amount, words] of [
      ['100.000001', /the wallet has 100 USDC/],
      ['1e3', /is not an amount/],
      ['-5', /is not an amount/],
      ['0.0000001', /USDC has 6 decimals: the amount has 7/],
      ['0', /above 0/],
    ] as const)
      assert.match((await check(amount)).deposit, words)
  })

  test("a withdrawal above the venue's limit is reported together with that limit", async () => {
    const limited = `0x${word(2_500n)}${word(5n * USDC)}${word(20n * USDC)}`
    const { withdraw, deposit, limit } = await check('25.000001', limited)
    assert.equal(deposit, '')
    assert.equal(withdraw, 'the limit is 25 USDC now: it refills within an hour')
    assert.match(limit, /^At most 25 % .* 20 USDC now\. The limit refills within an hour\.$/)
    assert.equal((await check('25', limited)).withdraw, '')
    const spent = `0x${word(2_500n)}${word(0n)}${word(-3n * USDC)}`
    assert.match((await check('1', spent)).withdraw, /the limit is 0 USDC now/)
  })

  test('with a position, a withdrawal is limited to less than the free amount', async () => {
    const of = { collateral_asset: 'USDC', instrument_type: 'PERPETUAL' }
    const collaterals = [{ ...of, available_balance: '70', withdrawable_balance: '40' }]
    const accountRest = { call: async () => ({ collaterals }) } as unknown as Rest
    assert.equal((await check('40', undefined, accountRest)).withdraw, '')
    const { withdraw, withdrawMax } = await check('40.000001', undefined, accountRest)
    assert.equal(withdraw, '40 USDC withdrawable')
    assert.equal(withdrawMax, '40')
  })

  test('an amount of money is checked without a limit if the engine has none', async () => {
    assert.equal((await check('1', new Error('reverted'))).limit, '')
    assert.equal((await check('1', '0x')).limit, '')
  })

  test('a deposit up to the cap is accepted, and the cap is shown with the room left', async () => {
    const capped = (amount: string, caps: Caps) => check(amount, undefined, undefined, caps)
    const perAccount = { perAccount: 65n * USDC }
    const right = await capped('25', perAccount)
    assert.equal(right.deposit, '')
    assert.deepEqual(
      [right.inWallet, right.depositMax, right.depositLeft, right.limit],
      ['100', '25', '25', 'Deposits are capped at 65 USDC per account.'],
    )
    assert.equal(
      (await capped('25.000001', perAccount)).deposit,
      'deposits are capped at 65 USDC per account: at most 25 USDC more can be deposited',
    )
    assert.equal((await capped('1', { total: 1_000n * USDC })).depositMax, '100')
    assert.equal(
      (await capped('1', { total: 100n * USDC })).deposit,
      'deposits are capped at 100 USDC in total: no more can be deposited',
    )
    assert.equal((await capped('1', { total: 0n })).deposit, 'deposits are closed')
    assert.equal((await capped('1', perAccount)).withdraw, '', 'whatever the cap is')
  })

  test('a deposit above the cap is refused before anything is sent', async () => {
    const request = chainOf(UNLIMITED, { perAccount: 65n * USDC })
    const parts = { venue: VENUE, request, address: TOKEN } as const
    await requireDepositRoom(parts, formOf('25'))
    await assert.rejects(requireDepositRoom(parts, formOf('26')), /at most 25 USDC more/)
  })
})
