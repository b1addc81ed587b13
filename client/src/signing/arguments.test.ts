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
} from '../../test/made-venue.ts'
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

  test('of an order counts what has filled of it', () => {
    const { data, body } = edit({ replaces })
    const wei = (10n ** 18n).toString()
    assert.deepEqual([data.message.amount, data.message.replacesAmount], [10n ** 18n, 10n ** 18n])
    assert.deepEqual([body.replaces, body.replaces_amount, body.amount], [HASH, wei, wei])
  })

  test('by an id alone is refused: it could sell twice what was offered', async () => {
    assert.equal((await faultOf(() => edit({ replaces: HASH }))).member, 'replacesAmount')
    assert.equal(edit({ replaces: HASH, replacesAmount: '0' }).body.replaces_amount, '0')
  })

  test('does not turn its order around, and names its amount once', async () => {
    const other = { ...replaces, side: 'sell' }
    assert.equal((await faultOf(() => edit({ replaces: other }))).nearest, 'sell')
    const twice = { replaces, replacesAmount: '1' }
    assert.equal((await faultOf(() => edit(twice))).member, 'replacesAmount')
  })

  test('of an order that waits for its block names none on the chain', () => {
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

  test('keeps what an edit does not change, but for a trigger that has fired', () => {
    const wei = (10n ** 18n).toString()
    const { salt, deadline, ...kept } = again
    assert.ok(salt !== undefined && deadline !== undefined)
    assert.deepEqual(kept, {
      ...{ instrument: 'ETH-PERP', maker: ACCOUNT, is_buy: false, amount: wei },
      ...{ limit_price: (2900n * 10n ** 18n).toString(), time_in_force: 'GTC', post_only: true },
      ...{ reduce_only: true, good_til: `${SOON}`, replaces: HASH, replaces_amount: wei },
      ...{ client_order_id: 'mine', parent_order_id: HASH },
    })
  })

  test('of a held order keeps its trigger', () => {
    const held = { ...old, order_status: 'stop_order', chain_order_id: null } as const
    const { trigger } = signing.replacementOf(held)
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
    test(`${member} that is wrong is refused by its name`, async () => {
      assert.equal((await faultOf(call)).member, member)
    })

  test('numbers are not taken for decimal text', () => {
    assert.throws(() => toRaw(0.5 as never, 6), /decimal text/)
    assert.throws(() => toOrderAmount(market, 1 as never), /decimal text/)
  })
})

describe('A browser wallet', () => {
  test('is asked by eth_signTypedData_v4, with whole numbers as text', async () => {
    const asked: { method: string; params: readonly string[] }[] = []
    const provider = {
      request: async (args: { method: string; params: readonly string[] }) => {
        asked.push(args)
        return `0x${'11'.repeat(64)}00`
      },
    }
    const wallet = signing.walletSigner(provider as never, ACCOUNT)
    const { signature } = await signing.signOrder(venue, wallet, order)
    assert.equal(signature, `0x${'11'.repeat(64)}1b`, 'v is 27 where a hardware wallet says 0')
    const [{ method, params } = { method: '', params: [] }] = asked
    assert.deepEqual([method, params[0]], ['eth_signTypedData_v4', ACCOUNT])
    const data = JSON.parse(params[1] ?? '')
    assert.equal(data.message.limitPrice, (2900n * 10n ** 18n).toString())
    assert.deepEqual(Object.keys(data.types), ['EIP712Domain', 'Order'])
  })

  test('that gives no signature is refused', async () => {
    for (const answer of [undefined, null, '0x', 'no']) {
      const wallet = signing.walletSigner({ request: async () => answer } as never, ACCOUNT)
      await assert.rejects(signing.signOrder(venue, wallet, order), /no signature of 65 bytes/)
    }
  })
})

test('What /info says of types changes nothing of what is signed, with EIP712Domain and without', () => {
  const types = { Register: [] }
  const texts = [types, { ...types, EIP712Domain: [] }].map((said) => {
    const { domain } = info.typed_data.api.Register as { domain: object }
    const Register = { domain, types: said, primaryType: 'Register' }
    const own = { ...info, typed_data: { api: { Register } } } as unknown as VenueInfo
    const loaded = new signing.SigningVenue(own, [market])
    return signing.digestOf(
      signing.orderToSign(loaded, ACCOUNT, { ...order, salt: 1n, deadlineSeconds: SOON }).data,
    )
  })
  assert.equal(texts[0], texts[1])
})
