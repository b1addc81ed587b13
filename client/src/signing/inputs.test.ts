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
} from '../../test/made-venue.ts'
import { Rest } from '../rest/rest.ts'
import type { NewOrder } from './index.ts'
import * as signing from './index.ts'

type Input = Record<string, unknown>
type Entry = (input: Input) => unknown
type Row = readonly [good: Input, call: Entry, required: readonly string[]]
/** By entry: a good input with every member, and the call with it. */
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

/** What no member of any entry takes. */
const BAD = [null, undefined, Number.NaN, Infinity, -1, {}, [], '', 'NaN', SECRET.slice(0, 65), 1.5]
/** Values that some of the members take: text of their own, bounded numbers. */
const TAKEN: Readonly<Record<string, (value: unknown) => boolean>> = {
  clientOrderId: (value) => value === 'NaN',
  inviteCode: (value) => typeof value === 'string',
  signature: (value) => typeof value === 'string',
  // Theirs are other errors.
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

/** As the API writes it. One that is a single word has another slip. */
const snakeOf = (member: string): string => {
  const snake = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake === member ? `${member}_` : snake
}

describe('What is signed', () => {
  for (const [name, [good, call, required]] of Object.entries(ENTRIES)) {
    test(`${name} names each member that has no legal value, and signs nothing`, async () => {
      for (const [member, value] of badValues(good)) {
        signed.length = 0
        const { message } = await faultOf(() => call({ ...good, [member]: value }))
        assert.match(message, new RegExp(`^${member}\\b`), `${member} = ${value}`)
        assert.deepEqual(signed, [])
      }
    })

    test(`${name} refuses a member that it does not know, and names the nearest`, async () => {
      for (const member of Object.keys(good)) {
        const slip = `${member}x`
        const error = await faultOf(() => call({ ...good, [slip]: good[member] }))
        const isNear = member.length > 1
        assert.deepEqual([error.member, error.nearest], [slip, isNear ? member : undefined])
      }
    })

    test(`${name} answers a name of the API with its own`, async () => {
      for (const [member, snake] of Object.keys(good).map((own) => [own, snakeOf(own)] as const)) {
        const { message } = await faultOf(() => call({ ...good, [snake]: good[member] }))
        const said = snake.endsWith('_') ? snake : `${snake}: the library calls it ${member}`
        assert.ok(message.startsWith(said), message)
      }
    })

    test(`${name} needs what it cannot choose`, async () => {
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

  test('of a side in another case is refused, and not sold', async () => {
    for (const side of ['BUY', 'Buy', 'long', true, 1]) {
      const error = await faultOf(() => sign({ side }))
      assert.equal(error.member, 'side')
      if (side === 'BUY') assert.equal(error.nearest, 'buy')
    }
  })

  test('whose time counts milliseconds is refused with the seconds', async () => {
    for (const unit of [1_000, 1_000_000, 1_000_000_000]) {
      const error = await faultOf(() => sign({ goodTilSeconds: SOON * unit }))
      assert.deepEqual([error.member, error.nearest], ['goodTilSeconds', `${SOON}`])
    }
    assert.equal((await faultOf(() => sign({ deadlineSeconds: 3600 }))).member, 'deadlineSeconds')
  })

  test('with a bigint, which could be in raw units, or a number is refused', async () => {
    for (const amount of [5n, 0.5]) {
      const error = await faultOf(() => sign({ amount }))
      assert.match(error.message, /^amount: .*decimal text/)
    }
    assert.equal((await faultOf(() => sign({ price: 2900 }))).nearest, '"2900"')
  })

  test('with names of the API or of others is refused with those of the library', async () => {
    const names = { instrument_name: 'market', is_buy: 'side', limit_price: 'price' }
    for (const [name, own] of Object.entries({
      ...names,
      maker: 'account',
      good_til: 'goodTilSeconds',
    }))
      assert.equal((await faultOf(() => sign({ [name]: 1 }))).nearest, own)
  })

  test('that could not rest as asked is refused', async () => {
    const error = await faultOf(() => sign({ postOnly: true, timeInForce: 'IOC' }))
    assert.deepEqual([error.member, error.nearest], ['timeInForce', 'GTC'])
  })

  test('of a market that is misspelled is refused with the nearest one', async () => {
    for (const name of ['eth-perp', 'ETH-PRP'])
      assert.equal((await faultOf(() => sign({ market: name }))).nearest, 'ETH-PERP')
  })

  test('has in its body what it has, by the names of the table', async () => {
    const [good = {}] = ENTRIES.signOrder ?? []
    const body = await signing.signOrder(venue, signer, good as NewOrder)
    const names = signing.orderNames().map(({ rest }) => rest)
    const own = ['stop', 'signature']
    assert.deepEqual(Object.keys(body).sort(), [...names, ...own].sort())
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    assert.equal(withNames(readme), readme, 'the README lists them')
  })
})
