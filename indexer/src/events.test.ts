import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ContractKind, eventNames, LEFT_OUT } from '@openvenue/contracts/events/translate'
import { ABIS, followedEvents } from '@openvenue/contracts/events/venue-logs'
import { encodeBytes32, encodeEvent } from '../test/encode.ts'
import type { IndexerDeployment } from './deployment.ts'
import { compileEvents } from './events.ts'

const fakeAddress = (byte: string) => `0x${byte.repeat(20)}`
/** Mixed case, as in deployment files. */
const DEPLOYMENT: IndexerDeployment = {
  accounts: fakeAddress('A1'),
  spot: fakeAddress('B2'),
  perps: fakeAddress('C3'),
  oracles: [fakeAddress('D4'), fakeAddress('D5')],
  startBlock: 1,
}
const SPOT = fakeAddress('b2')
const PERPS = fakeAddress('c3')
const SPOT_MARKET = `${SPOT}0000000b`
const PERP_MARKET = `${PERPS}00000002`
const USDC = fakeAddress('0e')
const DIGEST = `0x${'5a'.repeat(32)}`
const ZERO = `0x${'00'.repeat(32)}`
const PARAMETERS = {
  minOrderValue: 1n,
  maxOrderValue: 2n,
  maxNotionalValue: 3n,
  maxOpenInterest: 4n,
  maxLeverage: 20,
  makerFee: -100,
  takerFee: 350,
}

const { decodeLog, filter } = compileEvents(DEPLOYMENT)

const encodeLog = (kind: ContractKind, name: string, values: Record<string, unknown>) => {
  const address = {
    accounts: fakeAddress('a1'),
    spot: SPOT,
    perps: PERPS,
    oracle: fakeAddress('d5'),
  }[kind]
  const event = followedEvents(kind).find((event) => event.name === name)
  assert.ok(event)
  const position = { blockNumber: 9, blockHash: ZERO, logIndex: 4, txHash: DIGEST }
  return { address, ...encodeEvent(event, values), ...position }
}

const order = { market: 11, account: 3, order: 7, buy: true, tick: 500, lots: 12n }

const CASES: [string, ContractKind, string, Record<string, unknown>, object][] = [
  [
    'an order of a wallet has no ref; its time in force has a name',
    'spot',
    'Placed',
    { ...order, timeInForce: 2, reduceOnly: false, goodTil: 0, ref: ZERO },
    {
      ...order,
      type: 'Placed',
      market: SPOT_MARKET,
      timeInForce: 'FOK',
      reduceOnly: false,
      goodTil: 0,
      ref: null,
    },
  ],
  [
    'a signed order keeps its digest',
    'perps',
    'Placed',
    { ...order, market: 2, timeInForce: 3, reduceOnly: true, goodTil: 99, ref: DIGEST },
    {
      ...order,
      type: 'Placed',
      market: PERP_MARKET,
      timeInForce: 'POST_ONLY',
      reduceOnly: true,
      goodTil: 99,
      ref: DIGEST,
    },
  ],
  [
    'a cancellation has a named reason',
    'spot',
    'Cancelled',
    { market: 11, account: 3, order: 7, lots: 5n, reason: 6 },
    { type: 'Cancelled', market: SPOT_MARKET, account: 3, order: 7, lots: 5n, reason: 'EXPIRED' },
  ],
  [
    'a spot fill has fees of zero',
    'spot',
    'Filled',
    { market: 11, maker: 3, makerOrder: 7, taker: 4, takerOrder: 8, tick: 500, lots: 5n },
    {
      type: 'Filled',
      market: SPOT_MARKET,
      maker: 3,
      makerOrder: 7,
      taker: 4,
      takerOrder: 8,
      tick: 500,
      lots: 5n,
      makerFee: 0n,
      takerFee: 0n,
    },
  ],
  [
    'a perpetual fill keeps its fees, rebates included',
    'perps',
    'Filled',
    {
      market: 2,
      maker: 3,
      makerOrder: 7,
      taker: 4,
      takerOrder: 8,
      tick: 500,
      lots: 5n,
      makerFee: -9n,
      takerFee: 21n,
    },
    {
      type: 'Filled',
      market: PERP_MARKET,
      maker: 3,
      makerOrder: 7,
      taker: 4,
      takerOrder: 8,
      tick: 500,
      lots: 5n,
      makerFee: -9n,
      takerFee: 21n,
    },
  ],
  [
    'a listed perpetual has its parameters flat and its names as text',
    'perps',
    'Listed',
    {
      market: 2,
      name: encodeBytes32('SOL-PERP'),
      asset: encodeBytes32('SOL'),
      collateral: USDC,
      priceStep: 10n,
      amountStep: 20n,
      parameters: PARAMETERS,
    },
    {
      type: 'PerpListed',
      engine: PERPS,
      market: PERP_MARKET,
      number: 2,
      name: 'SOL-PERP',
      asset: 'SOL',
      collateral: USDC,
      priceStep: 10n,
      amountStep: 20n,
      ...PARAMETERS,
    },
  ],
  [
    'a changed perpetual has its parameters flat, too',
    'perps',
    'Changed',
    { market: 2, parameters: PARAMETERS },
    { type: 'PerpChanged', market: PERP_MARKET, ...PARAMETERS },
  ],
  [
    'a deposit has the kind of its engine',
    'spot',
    'Deposited',
    { account: 3, token: USDC, amount: 10n ** 70n },
    {
      type: 'Deposited',
      engine: SPOT,
      engineType: 'SPOT',
      account: 3,
      token: USDC,
      amount: 10n ** 70n,
    },
  ],
  [
    'a price comes from any of the oracles',
    'oracle',
    'Indexed',
    { asset: encodeBytes32('ETH'), price: 3n, time: 1_760_000_000 },
    { type: 'Indexed', asset: 'ETH', price: 3n, time: 1_760_000_000 },
  ],
  [
    'funding may be negative',
    'perps',
    'FundingSettled',
    {
      market: 2,
      time: 3600,
      rate: -5n,
      mark: 9n,
      cumulative: -7n,
      nextRate: 1n,
      nextPerSecond: -2n,
    },
    {
      type: 'FundingSettled',
      market: PERP_MARKET,
      time: 3600,
      rate: -5n,
      mark: 9n,
      cumulative: -7n,
      nextRate: 1n,
      nextPerSecond: -2n,
    },
  ],
]

CASES.push(
  [
    'a sub-account names its owner',
    'accounts',
    'SubAccountOpened',
    { account: 7, owner: USDC, index: 4_294_967_295 },
    { type: 'SubAccountOpened', account: 7, owner: USDC, index: 4_294_967_295 },
  ],
  [
    'an account allows a canceller',
    'accounts',
    'CancellerAllowed',
    { account: 7, canceller: USDC, expiry: 2_000_000_000, key: `0x${'0'.repeat(40)}` },
    { type: 'CancellerAllowed', account: 7, canceller: USDC, expiry: 2_000_000_000, key: null },
  ],
  [
    'a key of an account allows a canceller',
    'accounts',
    'CancellerAllowed',
    { account: 7, canceller: USDC, expiry: 2_000_000_000, key: SPOT },
    { type: 'CancellerAllowed', account: 7, canceller: USDC, expiry: 2_000_000_000, key: SPOT },
  ],
  [
    'an account no longer allows a canceller',
    'accounts',
    'CancellerRevoked',
    { account: 7, canceller: USDC },
    { type: 'CancellerRevoked', account: 7, canceller: USDC },
  ],
  [
    'a forced order is announced by its number',
    'perps',
    'Liquidating',
    { market: 2, account: 3, order: 7 },
    { type: 'Liquidating', market: PERP_MARKET, account: 3, order: 7 },
  ],
  [
    'a liquidation on the book names the keeper',
    'perps',
    'Liquidated',
    { market: 2, account: 3, lots: 9n, fee: 10n ** 19n, keeper: 5 },
    {
      type: 'Liquidated',
      market: PERP_MARKET,
      account: 3,
      lots: 9n,
      fee: 10n ** 19n,
      keeper: 5,
    },
  ],
  [
    'an absorption of a short may bring collateral',
    'perps',
    'Absorbed',
    { market: 2, account: 3, lots: -9n, unit: 4n, collateral: -8n },
    {
      type: 'Absorbed',
      market: PERP_MARKET,
      account: 3,
      lots: -9n,
      unit: 4n,
      collateral: -8n,
    },
  ],
  [
    'a deleverage may be below zero',
    'perps',
    'Deleveraged',
    { market: 2, loser: 3, winner: 4, lots: -9n, unit: -6n },
    { type: 'Deleveraged', market: PERP_MARKET, loser: 3, winner: 4, lots: -9n, unit: -6n },
  ],
)

describe('an event', () => {
  for (const [title, kind, name, values, expected] of CASES) {
    test(`the event ${name} is decoded: ${title}`, () => {
      assert.deepEqual(decodeLog(encodeLog(kind, name, values)), {
        ...expected,
        logIndex: 4,
        txHash: DIGEST,
      })
    })
  }

  test('an event of another contract is ignored', () => {
    const log = encodeLog('spot', 'Halted', { market: 11, halted: true })
    assert.equal(decodeLog({ ...log, address: fakeAddress('99') }), undefined)
  })

  test('an event with an unknown enum number stops the indexer', () => {
    const log = encodeLog('spot', 'Cancelled', {
      market: 11,
      account: 3,
      order: 7,
      lots: 5n,
      reason: 11,
    })
    assert.throws(() => decodeLog(log), /an enum number has a name/)
  })

  test('an event with a name that is not printable ASCII stops the indexer', () => {
    const values = { token: USDC, symbol: `0x01${'00'.repeat(31)}`, name: ZERO, decimals: 6 }
    assert.throws(() => decodeLog(encodeLog('spot', 'TokenListed', values)), /printable ASCII/)
  })

  test("NUL characters in a token's name are dropped, since databases do not store them", () => {
    const text = (hex: string) => `0x${hex.padEnd(64, '0')}`
    const names = { symbol: text('410042'), name: text('004300') }
    const event = decodeLog(
      encodeLog('spot', 'TokenListed', { token: USDC, ...names, decimals: 6 }),
    )
    assert.deepEqual(event, {
      type: 'TokenListed',
      token: USDC,
      symbol: 'AB',
      name: 'C',
      decimals: 6,
      logIndex: 4,
      txHash: DIGEST,
    })
  })

  test('every event of a followed contract is kept, or has a reason to be left out', () => {
    for (const [kind, abi] of Object.entries(ABIS)) {
      const followed = new Set(eventNames(kind as ContractKind))
      for (const { name } of abi.filter((item) => item.type === 'event'))
        assert.notEqual(followed.has(name), name in LEFT_OUT, `${kind} ${name}`)
    }
  })

  test('every followed event is requested by address and topic, once each and in lower case', () => {
    assert.equal(filter.address.length, 5)
    assert.deepEqual(
      filter.address,
      filter.address.map((address) => address.toLowerCase()),
    )
    const [topics = []] = filter.topics
    assert.equal(new Set(topics).size, topics.length)
    assert.ok(topics.length >= 20)
  })
})
