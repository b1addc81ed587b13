import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Order, VenueInfo } from '../../generated/shapes.ts'
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
  signer,
  TOKEN,
  venue,
} from '../../test/fake-venue.ts'
import { fromRaw, toOrderAmount, toOrderPrice, toRaw, toSteps } from '../numbers.ts'
import { Rest } from '../rest/rest.ts'
import { VenueSocket } from '../socket/venue-socket.ts'
import type { SigningVenue } from './index.ts'
import * as signing from './index.ts'

const money = { engine: ENGINE, token: TOKEN, amount: 5n }

describe('An edit', () => {
  const edit = (more: object) =>
    signing.orderToSign(venue, ACCOUNT, { ...order, amount: '1', ...more } as never)
  const replaces = { chain_order_id: HASH, amount: '1', side: 'buy', remaining: '0.7' } as const

  test('an edit by order counts the amount that the order has filled', () => {
    const { data, body } = edit({ replaces })
    const wei = (10n ** 18n).toString()
    assert.deepEqual([data.message.amount, data.message.replacesAmount], [10n ** 18n, 10n ** 18n])
    assert.deepEqual([body.replaces, body.replaces_amount, body.amount], [HASH, wei, wei])
  })

  test('an edit by id without replacesAmount is refused, since it could fill twice the amount', async () => {
    assert.equal((await faultOf(() => edit({ replaces: HASH }))).member, 'replacesAmount')
    assert.equal(edit({ replaces: HASH, replacesAmount: '0' }).body.replaces_amount, '0')
  })

  test('an edit keeps the side of its order and takes the replaced amount only once', async () => {
    const other = { ...replaces, side: 'sell' }
    assert.equal((await faultOf(() => edit({ replaces: other }))).nearest, 'sell')
    const twice = { replaces, replacesAmount: '1' }
    assert.equal((await faultOf(() => edit(twice))).member, 'replacesAmount')
  })

  test('an edit of an order that is not on the chain yet replaces none there', () => {
    const { body } = edit({ replaces: { ...replaces, chain_order_id: null } })
    assert.equal(body.replaces, undefined)
  })
})

describe('The replacement of an order', () => {
  const old = {
    ...{ instrument_name: 'ETH-PERP', side: 'sell', amount: '1', price: '2900', filled: '0.3' },
    ...{ account: ACCOUNT, chain_order_id: HASH, client_order_id: 'mine', order_status: 'partial' },
    ...{ time_in_force: 'GTD', expires_timestamp: `${SOON}000000000` },
    ...{ post_only: true, reduce_only: true, parent_order_id: HASH },
    ...{ stop: 'STOP_LOSS', trigger: '2800' },
  } as unknown as Order
  const { body: again } = signing.orderToSign(venue, ACCOUNT, signing.replacementOf(old))

  test('a replacement keeps every member except a trigger that has fired', () => {
    const wei = (10n ** 18n).toString()
    const { salt, deadline, ...unchanged } = again
    assert.ok(salt !== undefined && deadline !== undefined)
    assert.deepEqual(unchanged, {
      ...{ instrument: 'ETH-PERP', maker: ACCOUNT, is_buy: false, amount: wei },
      ...{ limit_price: (2900n * 10n ** 18n).toString(), time_in_force: 'GTC', post_only: true },
      ...{ reduce_only: true, good_til: `${SOON}`, replaces: HASH, replaces_amount: wei },
      ...{ client_order_id: 'mine', parent_order_id: HASH },
    })
  })

  test('the replacement of a held order keeps its trigger', () => {
    const heldOrder = { ...old, order_status: 'stop_order', chain_order_id: null } as const
    const { trigger } = signing.replacementOf(heldOrder)
    assert.deepEqual(trigger, { kind: 'STOP_LOSS', price: '2800' })
  })
})

describe('Arguments', () => {
  const calls: Readonly<Record<string, () => unknown>> = {
    venue: () =>
      signing.signOrder(Promise.resolve(venue) as unknown as SigningVenue, signer, order),
    signer: () => signing.signOrder(venue, SECRET as never, order),
    'signer.address': () => signing.signOrder(venue, { ...signer, address: '0x1' }, order),
    account: () => signing.orderToSign(venue, 'me' as never, order),
    address: () => signing.walletSigner({ request: async () => '' }, '0x' as never),
    wallet: () => signing.walletSigner({} as never, ACCOUNT),
    to: () => signing.withdrawCall(money, 'me' as never),
    sub: () => signing.collectCall(money, undefined as never),
    accounts: () => signing.openSubCall('x' as never, 0),
    index: () => signing.openSubCall(TOKEN, -1),
    key: () => signing.revokeKeyCall(TOKEN, SECRET as never),
    engine: () => signing.setLeverageCall({} as never, 1),
    number: () => signing.setLeverageCall({ engine: ENGINE, number: 1.5 }, 1),
    leverage: () => signing.setLeverageCall({ engine: ENGINE, number: 1 }, Number.NaN),
    baseFee: () => signing.offerFees(Number.NaN as never, info.network),
    rounding: () => toSteps('1', '1', 'UP' as never),
    side: () => toOrderPrice(market, 'SELL' as never, '1'),
    decimals: () => toRaw('1', Number.NaN),
    raw: () => fromRaw(1 as never, 6),
    url: () => new Rest({} as never),
    apiKey: () => new VenueSocket({ url: 'http://x', apiKey: SECRET as never }),
    apikey: () => new Rest({ url: 'http://x', apikey: {} } as never),
    timeoutMs: () => new Rest({ url: 'http://x', timeoutMs: '60' as never }),
    limit: () =>
      new Rest({ url: 'http://x' }).call('GET /candles', { query: { limit: NaN } as never }),
    timeout_ms: () =>
      new Rest({ url: 'http://x' }).call('POST /account/cancel-after', {
        body: { timeout_ms: Number.NaN },
      }),
    params: () => new Rest({ url: 'http://x' }).call('GET /candles', { params: {} } as never),
    minblock: () =>
      new Rest({ url: 'http://x' }).call('GET /markets', {}, { minblock: 1 } as never),
  }
  for (const [member, call] of Object.entries(calls))
    test(`an invalid ${member} is refused with an error that names it`, async () => {
      assert.equal((await faultOf(call)).member, member)
    })

  test('numbers are refused as arguments that must be decimal text', () => {
    assert.throws(() => toRaw(0.5 as never, 6), /decimal text/)
    assert.throws(() => toOrderAmount(market, 1 as never), /decimal text/)
  })
})

describe('A browser wallet', () => {
  test('a browser wallet receives eth_signTypedData_v4 with integers as text', async () => {
    const calls: { method: string; params: readonly string[] }[] = []
    const provider = {
      request: async (args: { method: string; params: readonly string[] }) => {
        calls.push(args)
        return `0x${'11'.repeat(64)}00`
      },
    }
    const wallet = signing.walletSigner(provider as never, ACCOUNT)
    const { signature } = await signing.signOrder(venue, wallet, order)
    assert.equal(signature, `0x${'11'.repeat(64)}1b`, 'v 0 of a hardware wallet becomes 27')
    const [{ method, params } = { method: '', params: [] }] = calls
    assert.deepEqual([method, params[0]], ['eth_signTypedData_v4', ACCOUNT])
    const data = JSON.parse(params[1] ?? '')
    assert.equal(data.message.limitPrice, (2900n * 10n ** 18n).toString())
    assert.deepEqual(Object.keys(data.types), ['EIP712Domain', 'Order'])
  })

  test('an answer of a browser wallet that is not a signature is refused', async () => {
    for (const answer of [undefined, null, '0x', 'no']) {
      const wallet = signing.walletSigner({ request: async () => answer } as never, ACCOUNT)
      await assert.rejects(
        signing.signOrder(venue, wallet, order),
        /expected a signature of 65 bytes/,
      )
    }
  })
})

test('typed-data types in /info do not change the signed digest, with EIP712Domain or without', () => {
  const types = { Register: [] }
  const texts = [types, { ...types, EIP712Domain: [] }].map((served) => {
    const { domain } = info.typed_data.api.Register as { domain: object }
    const Register = { domain, types: served, primaryType: 'Register' }
    const ownInfo = { ...info, typed_data: { api: { Register } } } as unknown as VenueInfo
    const loaded = new signing.SigningVenue(ownInfo, [market])
    return signing.digestOf(
      signing.orderToSign(loaded, ACCOUNT, { ...order, salt: 1n, deadlineSeconds: SOON }).data,
    )
  })
  assert.equal(texts[0], texts[1])
})
