// Compares the page's description of a call with what a wallet shows that knows the repository's
// descriptors and has only the calldata.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Address, approveCall, depositCall, type Hex, SigningVenue } from 'openvenue/signing'
import { decodeFunctionData, parseAbiItem, toFunctionSelector } from 'viem'
import { type Field, makeDescriptors } from '../../../../scripts/descriptors.ts'
import {
  planAllowCanceller,
  planGive,
  planOpenSub,
  planRevokeCanceller,
  planRevokeKey,
  planTakeBack,
} from '../../account/worker/planned-calls.ts'
import { planCancels, planClose } from '../../chain/worker/chain-actions.ts'
import type { ChainMarket } from '../../chain/worker/chain-listing.ts'
import { moneyWords, planWithdraw, readMoney } from '../../money/worker/money.ts'
import { planLeverage } from '../../order/worker/leverage-call.ts'
import { CALL_TITLES, type CallName, MEMBER_VALUES } from './signing-words.ts'
import type { PlannedCall } from './wallet.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [OWNER, SUB, KEY] = [address('a'), address('b'), address('c')]
const [ACCOUNTS, ENGINE, COIN] = [address('1'), address('2'), address('3')]
const DECIMALS = 6
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: { accounts: { address: ACCOUNTS }, perps: { address: ENGINE } },
    tokens: [{ symbol: 'USDC', address: COIN, decimals: DECIMALS }],
  } as never,
  [
    {
      ...{ instrument_name: 'ETH-PERP', instrument_id: `${ENGINE}00000007` },
      ...{ instrument_type: 'PERPETUAL', price_step: '0.01', amount_step: '0.0001' },
    } as never,
  ],
)
// Typed with a separator and an extra zero: the description must show the encoded amount.
const TYPED = { engine: 'perps', symbol: 'USDC', amount: '1,234.50' } as const
const MONEY = readMoney(VENUE, TYPED)
const E18 = 10n ** 18n
const MARKET: ChainMarket = {
  ...{ name: 'ETH-PERP', kind: 'PERPETUAL', number: 7, isHalted: false },
  ...{ engine: ENGINE, id: `${ENGINE}00000007`, baseDecimals: 18, quoteDecimals: 18 },
  ...{ priceStep: E18 / 100n, amountStep: E18 / 10_000n, quotePerLotTick: E18 / 1_000_000n },
}
const order = (number: number) => ({
  ...{ id: `${MARKET.id}${number}`, market: MARKET, number, isBuy: true, isReduceOnly: false },
  ...{ tick: 300_000, lots: 2_500n },
})
const position = (lots: bigint) => ({
  ...{ market: MARKET, lots, quote: -4_500n * E18, fundingIndex: 0n },
  ...{ mark: 3_100n * E18, markPerLot: (3_100n * E18) / 10_000n },
})
const sent = (name: 'approve' | 'deposit', call: PlannedCall['call']): PlannedCall => ({
  ...{ text: name, call, words: moneyWords(name, VENUE, MONEY) },
})

/** Every call that the page has a wallet send, planned as the page plans it. */
const CALLS: Readonly<Record<CallName, readonly PlannedCall[]>> = {
  approve: [sent('approve', approveCall(MONEY))],
  deposit: [sent('deposit', depositCall(MONEY))],
  approveAndDeposit: [],
  withdraw: [planWithdraw(VENUE, TYPED, OWNER)],
  transfer: [planGive(VENUE, MONEY, SUB)],
  collect: [planTakeBack(VENUE, MONEY, SUB)],
  openSub: [planOpenSub(VENUE, 3)],
  revoke: [planRevokeKey(VENUE, KEY)],
  allowCanceller: [
    planAllowCanceller(VENUE, OWNER, { canceller: KEY, expirySeconds: 1_800_000_000 }),
  ],
  revokeCanceller: [planRevokeCanceller(VENUE, OWNER, KEY)],
  setLeverage: [planLeverage(VENUE, 'ETH-PERP', 5)],
  cancelAll: planCancels([order(5), order(6)]),
  place: [planClose(position(15_000n)), planClose(position(-15_000n))],
}

const FORMATS = Object.values(makeDescriptors()).flatMap(({ context, display }) =>
  context.contract === undefined
    ? []
    : Object.entries(display.formats).map(([key, format]) => ({
        abi: [parseAbiItem(`function ${key}`)] as never,
        selector: toFunctionSelector(parseAbiItem(`function ${key}`) as never),
        names: topLevelNames(key),
        format,
      })),
)

/** Names of the arguments; a tuple is one argument. */
function topLevelNames(key: string): readonly string[] {
  const inner = key.slice(key.indexOf('(') + 1, -1).replace(/\([^)]*\)/g, 'tuple')
  return inner.split(', ').map((one) => one.split(' ')[1] ?? '')
}

type Line = readonly [label: string, value: string]

/** Displays calldata as a wallet does: label and value of each field. */
function show(to: Hex, data: Hex): Readonly<{ title: string; fields: readonly Line[] }> {
  const descriptor = FORMATS.find(({ selector }) => data.startsWith(selector))
  assert.ok(descriptor, `no descriptor has the call ${data.slice(0, 10)}`)
  const { args } = decodeFunctionData({ abi: descriptor.abi, data }) as {
    args?: readonly unknown[]
  }
  const root = Object.fromEntries(descriptor.names.map((name, at) => [name, args?.[at]]))
  const read = (path: string): unknown =>
    path
      .split('.')
      .filter((part) => part !== '[]')
      .reduce((value: unknown, part) => (value as Record<string, unknown>)[part], root)
  const fields = descriptor.format.fields
    .filter(({ visible }) => visible !== 'never')
    .map((field): Line => [field.label, valueText(field, read, to)])
  return { title: descriptor.format.intent, fields }
}

function valueText(
  { path, format, params }: Field,
  read: (path: string) => unknown,
  to: Hex,
): string {
  const value = read(path)
  if (format === 'tokenAmount') {
    const token = params?.['tokenPath'] === '@.to' ? to : read(`${params?.['tokenPath']}`)
    assert.equal(`${token}`.toLowerCase(), COIN)
    const digits = `${value}`.padStart(DECIMALS + 1, '0')
    const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
    return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`} USDC`
  }
  if (format === 'tokenTicker') return `USDC, ${value}`
  if (format === 'enum') return MEMBER_VALUES[path.split('.').at(-1) ?? '']?.[`${value}`] ?? ''
  if (format === 'date') {
    const text = new Date(Number(value) * 1000).toISOString().slice(0, 19)
    return value === 0 ? 'no end' : `${text.replace('T', ' ')} UTC`
  }
  return Array.isArray(value) ? value.join(', ') : `${value}`
}

const bare = ([name, value]: Line): string =>
  `${name}: ${value}`.replaceAll(/(?<=\d),(?=\d)/g, '').toLowerCase()

describe('the description of a call', () => {
  for (const name of Object.keys(CALL_TITLES) as CallName[]) {
    if (name === 'approveAndDeposit') continue
    test(`the description of ${name} has every field that a wallet shows of the calldata`, () => {
      const planned = CALLS[name] ?? []
      assert.ok(planned.length > 0, `the call ${name} is planned by nobody`)
      for (const { call, words } of planned) {
        const shown = show(call.to, call.data)
        assert.equal(words.call, name)
        assert.equal(words.title, shown.title)
        const said = words.lines.map(bare)
        for (const field of shown.fields)
          assert.ok(said.includes(bare(field)), `${bare(field)} is not in ${said.join(' | ')}`)
        const where: string =
          name === 'approve' ? `token: usdc, ${call.to}` : `contract: ${call.to}`
        assert.ok(said.includes(where), `${where} is not in ${said.join(' | ')}`)
      }
    })
  }

  test('the description of approveAndDeposit consists of both calls', () => {
    const said = moneyWords('approveAndDeposit', VENUE, MONEY).lines.map(bare)
    for (const call of [approveCall(MONEY), depositCall(MONEY)])
      for (const [label, value] of show(call.to, call.data).fields)
        assert.ok(
          said.some((line) => line.endsWith(`: ${bare(['', value]).slice(2)}`)),
          `${label}: ${value} is not in ${said.join(' | ')}`,
        )
  })

  test('every call in the table has a description, and no other call has one', () => {
    assert.deepEqual(Object.keys(CALLS).toSorted(), Object.keys(CALL_TITLES).toSorted())
  })

  test('the description of a call shows the encoded amount, whatever was typed', () => {
    const { lines } = planWithdraw(VENUE, TYPED, OWNER).words
    assert.deepEqual(lines.slice(0, 2), [
      ['Account', `Main, ${OWNER}`],
      ['Amount', '1,234.5 USDC'],
    ])
    assert.ok(lines.some(([name, value]) => name === 'To' && value === OWNER))
  })
})
