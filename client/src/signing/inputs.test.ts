import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { withNames } from '../../scripts/generate.ts'
import {
  ACCOUNT,
  ENGINE,
  faultOf,
  HASH,
  info,
  market,
  order,
  SECRET,
  SOON,
  signed,
  signer,
  TOKEN,
  venue,
} from '../../test/fake-venue.ts'
import { Rest } from '../rest/rest.ts'
import type { NewOrder } from './index.ts'
import * as signing from './index.ts'

type Input = Record<string, unknown>
type Entry = (input: Input) => unknown
type Row = readonly [good: Input, call: Entry, required: readonly string[]]
/** A valid input with every member, and the call with it, by entry. */
const money = { engine: ENGINE, token: TOKEN, amount: 5n }
const { approveCall, depositCall, withdrawCall, transferCall, collectCall } = signing
const moneyEntries = (calls: Readonly<Record<string, (money: never, to: never) => unknown>>) =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]): [string, Row] => [
      name,
      [money, (input) => call(input as never, ACCOUNT as never), Object.keys(money)],
    ]),
  )
const ENTRIES: Readonly<Record<string, Row>> = {
  signOrder: [
    {
      ...order,
      ...{ timeInForce: 'GTC', postOnly: true, reduceOnly: true, mmp: true, maxFills: 7 },
      trigger: { kind: 'STOP_LOSS', price: '2800' },
      ...{ goodTilSeconds: SOON, deadlineSeconds: SOON, salt: 7n, account: ACCOUNT },
      orderType: 'limit',
      ...{ replaces: HASH, replacesAmount: '0.5', clientOrderId: 'mine', parentOrderId: HASH },
    },
    (input) => signing.signOrder(venue, signer, input as NewOrder),
    ['market', 'side', 'amount', 'price'],
  ],
  signCancel: [
    { market: 'ETH-PERP', orders: [HASH], deadlineSeconds: SOON, account: ACCOUNT },
    (input) => signing.signCancel(venue, signer, input as never),
    ['market', 'orders'],
  ],
  signCancelAll: [
    { market: 'ETH-PERP', salt: 1n, deadlineSeconds: SOON, account: ACCOUNT },
    (input) => signing.signCancelAll(venue, signer, input as never),
    ['market'],
  ],
  signBurn: [
    { engine: 'perps', salts: [1n], deadlineSeconds: SOON, account: ACCOUNT },
    (input) => signing.signBurn(venue, signer, input as never),
    ['engine', 'salts'],
  ],
  signCanceller: [
    { canceller: TOKEN, expirySeconds: SOON, account: ACCOUNT },
    (input) => signing.signCanceller(venue, signer, input as never),
    ['canceller', 'expirySeconds'],
  ],
  signRegistration: [
    {
      ...{ wallet: signer, key: signer, account: ACCOUNT, expirySeconds: SOON },
      ...{ onChain: true, hmac: true, inviteCode: 'guest' },
    },
    (input) => signing.signRegistration(venue, input as never),
    ['wallet', 'key'],
  ],
  signPermit: [
    {
      ...{ chainId: 1, token: { address: TOKEN, name: 'USDC', version: '1' }, spender: ENGINE },
      ...{ value: 1n, nonce: 0n, deadlineSeconds: SOON },
    },
    (input) => signing.signPermit(signer, input as never),
    ['chainId', 'token', 'spender', 'value', 'nonce', 'deadlineSeconds'],
  ],
  ...moneyEntries({ approveCall, depositCall }),
  ...moneyEntries({ withdrawCall, transferCall, collectCall }),
  depositWithPermitCall: [
    { deadline: 1n, v: 27, r: HASH, s: HASH },
    (input) => signing.depositWithPermitCall(money, input as never),
    ['deadline', 'v', 'r', 's'],
  ],
  burnCall: [
    {
      engine: ENGINE,
      message: { account: ACCOUNT, word: 1n, mask: 1n, deadline: 1n },
      signature: '0x11',
    },
    (input) => signing.burnCall(input as never),
    ['engine', 'message', 'signature'],
  ],
  loadVenue: [
    { pinned: {}, signal: AbortSignal.abort() },
    (input) => signing.loadVenue(new Rest({ url: 'http://127.0.0.1:1' }), input as never),
    [],
  ],
  register: [
    { timeoutMs: 1, onApiKey: () => {}, signal: AbortSignal.abort() },
    (input) => signing.register({} as Rest, venue, {} as never, input as never),
    [],
  ],
  allowVenueToCancel: [
    { signer, account: ACCOUNT },
    (input) => signing.allowVenueToCancel({} as Rest, venue, input as never),
    ['signer'],
  ],
  'pinned of loadVenue': [
    { perps: ENGINE, accounts: TOKEN, chainId: 31337 },
    (input) => new signing.SigningVenue(info, [market], input as never),
    [],
  ],
}

/** Values that no member of any entry accepts. */
const BAD = [null, undefined, Number.NaN, Infinity, -1, {}, [], '', 'NaN', SECRET.slice(0, 65), 1.5]
/** Exceptions: values that some members accept, such as free text. */
const TAKEN: Readonly<Record<string, (value: unknown) => boolean>> = {
  clientOrderId: (value) => value === 'NaN',
  inviteCode: (value) => typeof value === 'string',
  signature: (value) => typeof value === 'string',
  // These fail with other errors.
  signal: () => true,
  pinned: () => true,
}
const badValues = (good: Input): [string, unknown][] =>
  Object.keys(good).flatMap((member) =>
    BAD.filter((value) => TAKEN[member]?.(value) !== true).map((value): [string, unknown] => [
      member,
      value,
    ]),
  )

/** Returns the name in snake case, as in the API; a typo of it if the name is a single word. */
const snakeOf = (member: string): string => {
  const snake = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake === member ? `${member}_` : snake
}

describe('Signing functions', () => {
  for (const [name, [good, call, required]] of Object.entries(ENTRIES)) {
    test(`${name} names every member with an illegal value and signs nothing`, async () => {
      for (const [member, value] of badValues(good)) {
        signed.length = 0
        const { message } = await faultOf(() => call({ ...good, [member]: value }))
        assert.match(message, new RegExp(`^${member}\\b`), `${member} = ${value}`)
        assert.deepEqual(signed, [])
      }
    })

    test(`${name} refuses an unknown member and names the nearest one`, async () => {
      for (const member of Object.keys(good)) {
        const slip = `${member}x`
        const error = await faultOf(() => call({ ...good, [slip]: good[member] }))
        const isNear = member.length > 1
        assert.deepEqual([error.member, error.nearest], [slip, isNear ? member : undefined])
      }
    })

    test(`${name} refuses a member name of the API and suggests its own`, async () => {
      for (const [member, snake] of Object.keys(good).map(
        (name) => [name, snakeOf(name)] as const,
      )) {
        const { message } = await faultOf(() => call({ ...good, [snake]: good[member] }))
        const expected = snake.endsWith('_')
          ? snake
          : `${snake} is called ${member} in this library`
        assert.ok(message.startsWith(expected), message)
      }
    })

    test(`${name} requires every member without a default`, async () => {
      const others = required.length > 0 ? [undefined, null, 'text', []] : []
      for (const input of others) await faultOf(() => call(input as never))
      for (const member of required) {
        const { [member]: _, ...rest } = good
        const { message } = await faultOf(() => call(rest))
        assert.match(message, new RegExp(`^${member} is missing`))
      }
    })
  }
})

describe('An order', () => {
  const sign = (more: object) => signing.signOrder(venue, signer, { ...order, ...more } as never)

  test('an order with a side in another case is refused rather than sold', async () => {
    for (const side of ['BUY', 'Buy', 'long', true, 1]) {
      const error = await faultOf(() => sign({ side }))
      assert.equal(error.member, 'side')
      if (side !== 'BUY') continue
      assert.equal(error.nearest, 'buy')
      assert.match(error.message, /; the nearest is buy$/)
    }
  })

  test('an order with a time in milliseconds is refused, and the error gives the seconds', async () => {
    for (const unit of [1_000, 1_000_000, 1_000_000_000]) {
      const error = await faultOf(() => sign({ goodTilSeconds: SOON * unit }))
      assert.deepEqual([error.member, error.nearest], ['goodTilSeconds', `${SOON}`])
    }
    assert.equal((await faultOf(() => sign({ deadlineSeconds: 3600 }))).member, 'deadlineSeconds')
  })

  test('an order with an amount as a bigint or number is refused', async () => {
    for (const amount of [5n, 0.5]) {
      const error = await faultOf(() => sign({ amount }))
      assert.match(error.message, /^amount: .*decimal text/)
    }
    assert.equal((await faultOf(() => sign({ price: 2900 }))).nearest, '"2900"')
  })

  test('an order with member names of the API is refused with the names of the library', async () => {
    const names = { instrument_name: 'market', is_buy: 'side', limit_price: 'price' }
    for (const [name, rule] of Object.entries({
      ...names,
      maker: 'account',
      good_til: 'goodTilSeconds',
    }))
      assert.equal((await faultOf(() => sign({ [name]: 1 }))).nearest, rule)
  })

  test('a post-only order that is immediate-or-cancel is refused', async () => {
    const error = await faultOf(() => sign({ postOnly: true, timeInForce: 'IOC' }))
    assert.deepEqual([error.member, error.nearest], ['timeInForce', 'GTC'])
  })

  test('an order for a misspelled market is refused, and the error names the nearest market', async () => {
    for (const name of ['eth-perp', 'ETH-PRP'])
      assert.equal((await faultOf(() => sign({ market: name }))).nearest, 'ETH-PERP')
  })

  test('the body of an order has every member by the names of the README table', async () => {
    const [good = {}] = ENTRIES.signOrder ?? []
    const body = await signing.signOrder(venue, signer, good as NewOrder)
    const names = signing.orderNames().map(({ rest }) => rest)
    const ownNames = ['stop', 'signature']
    assert.deepEqual(Object.keys(body).sort(), [...names, ...ownNames].sort())
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    assert.equal(withNames(readme), readme, 'the README lists the names')
  })
})
