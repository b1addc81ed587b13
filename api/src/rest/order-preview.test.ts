// Previews and builds over HTTP, on the real contracts: an anvil, an indexer and a node.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { parseDecimal } from '@openvenue/core/units'
import { LiveVenue } from '@openvenue/keeper/test/live-venue'
import { OrderBuilt, OrderPreview } from '@openvenue/wire/order-entry'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { issueKey } from '../../test/keyed.ts'
import { signDigest } from '../../test/order-model.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import { connectTo } from '../../test/socket-client.ts'
import type { Host } from '../http/host-type.ts'
import { windowsAt } from '../model/snapshot-windows.ts'
import { VenueModel } from '../model/venue-model.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import { createApiHost } from '../node/api-host.ts'
import { createOrderChain } from '../orders/order-parts.ts'

const DOMAIN = 'test'
const CHAIN_ID = 5_042_002
/** Key of the mnemonic that every development chain uses. */
const KEY = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)
const WALLET = KEY.address.toLowerCase()
/** Returns whether a body has a shape, without narrowing its type. */
const isOf = (shape: TSchema, body: unknown): boolean => Value.Check(shape, body)
const [TRADER, MAKER] = [1, 2]
const STEP = 10n ** 17n
const LOT = 10n ** 14n

describe('previews and builds of an order', () => {
  let live: LiveVenue
  let host: Host
  let headers: Readonly<Record<string, string>>
  const settings = { ...ACCOUNT_SETTINGS, chainId: CHAIN_ID, domainName: DOMAIN }
  const model = new VenueModel()
  before(async () => {
    live = await LiveVenue.start()
    await live.fund(TRADER, 10_000n)
    await live.send([
      live.order(MAKER, { buy: false, tick: 30_100, lots: 2_000n }),
      live.order(MAKER, { buy: false, tick: 30_200, lots: 2_000n }),
    ])
    await follow()
    const { store } = live
    const nowMs = () => live.venue.seconds * 1000
    host = await createApiHost({
      model,
      reader: store.reader,
      accounts: {
        ...BROKEN_ACCOUNTS,
        identity: store.identity,
        history: store.history,
        orderChain: createOrderChain([live.venue.url]),
        settings,
      },
      clock: { nowMs, monotonicMs: nowMs },
      probes: { redis: refuse, rpc: refuse, indexer: refuse },
      options: { environment: 'test', version: '0', marketsCacheMs: 0, readyCacheMs: 0 },
      rates: { consume: count, publicRate: undefined, proxyHops: 1 },
      corsOrigins: ['*'],
    })
    headers = (await issueKey(store, WALLET, nowMs(), 3_600_000)).headers
  })
  after(async () => {
    await host.close()
    await live.stop()
  })

  const refuse = () => Promise.reject(new Error('it does not answer'))
  const count = async () => ({ allowed: true, remaining: 1, resetMs: 0 })

  /** Lets the node follow the chain. */
  async function follow(): Promise<void> {
    const { number } = await live.venue.head()
    for (;;) {
      const snapshot = await live.store.reader.snapshot(windowsAt(live.venue.seconds))
      if (snapshot.state.head?.number === number) {
        model.load(snapshot)
        return
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const body = (members: object = {}) => ({
    instrument: 'ETH-PERP',
    maker: WALLET,
    is_buy: true,
    limit_price: `${30_200n * STEP}`,
    amount: `${3_000n * LOT}`,
    salt: '5',
    deadline: live.venue.seconds + 600,
    ...members,
  })
  async function post(url: string, members: object = {}, sent = headers) {
    const answer = await host.inject({ method: 'POST', url, headers: sent, payload: body(members) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const signed = async (members: object = {}) => {
    const { digest } = (await post('/orders/build', members)).body
    return { ...members, signature: await signDigest(KEY, digest) }
  }

  test('an order is previewed by socket as by REST', async () => {
    const url = await host.listen({ host: '127.0.0.1', port: 0 })
    const client = await connectTo(url, 'websocket')
    await client.ask('auth', { key: headers['api-key'], secret: headers['api-secret'] })
    const data = body(await signed())
    const { body: said } = await post('/orders/preview', data)
    assert.deepEqual((await client.ask('preview_order', data)).data, said)
    const refused = await client.ask('preview_order', { ...data, instrument: 'NOTHING' })
    assert.equal(refused.error, 'INSTRUMENT_NOT_FOUND')
    client.close()
  })

  test('an order is previewed level by level, with fees, margin and what becomes of the position', async () => {
    const { status, body } = await post('/orders/preview', await signed())
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(isOf(OrderPreview, body), JSON.stringify([...Value.Errors(OrderPreview, body)]))
    assert.equal(body.is_accepted, true, JSON.stringify(body.refusals))
    assert.equal(body.recovered_signer, WALLET)
    assert.equal(body.block_number, (await live.venue.head()).number)
    assert.deepEqual(
      body.fills.map(({ price, amount }: Record<string, string>) => [price, amount]),
      [
        ['3010', '0.2'],
        ['3020', '0.1'],
      ],
    )
    assert.deepEqual([body.filled, body.resting, body.cancelled], ['0.3', '0', '0'])
    assert.deepEqual([body.avg_price, body.worst_price], ['3013.333333333333333333', '3020'])
    // 904 at 3.5 hundredths of a percent.
    assert.equal(body.fees, '0.3164')
    assert.equal(body.position, '0.3')
    const equity = await live.equity(await live.account(TRADER))
    assert.equal(BigInt(body.margin.before.equity.replace('.', '')) > 0n, equity > 0n)
    assert.notDeepEqual(body.margin.after, body.margin.before)
    assert.equal(body.liquidation_price, null)
    assert.ok(!('balances' in body))
  })

  test('an order is previewed with all that refuses it, and changes nothing', async () => {
    const before = await live.lots(TRADER)
    const late = { deadline: 5, time_in_force: 'FOK', amount: `${90_000n * LOT}` }
    const { status, body } = await post('/orders/preview', late)
    assert.equal(status, 200)
    assert.ok(isOf(OrderPreview, body))
    assert.equal(body.is_accepted, false)
    const codes = body.refusals.map(({ error, code }: Record<string, string>) => code ?? error)
    assert.deepEqual(codes, ['FOK_UNFILLABLE', 'ORDER_TIMED_OUT'])
    assert.equal(body.refusals[0].facts.contract_error, 'FillOrKillUnfillable')
    assert.equal(body.margin.after, null)
    assert.deepEqual([body.fills, body.position, body.recovered_signer], [[], null, null])
    assert.equal(await live.lots(TRADER), before)
  })

  test('a preview works where the venue takes no orders, and reports it', async () => {
    // While trading is coming soon no order call is built either.
    const order = await signed()
    for (const [trading, code] of [
      ['coming_soon', 'TRADING_NOT_LIVE'],
      ['cancel_only', 'MAINTENANCE_MODE_ENABLED'],
    ] as const) {
      Object.assign(settings, { trading })
      const { status, body } = await post('/orders/preview', order)
      assert.deepEqual([status, body.is_accepted, body.refusals.length], [200, false, 1])
      assert.deepEqual([body.refusals[0].code, body.refusals[0].field], [code, 'order'])
      assert.notEqual(body.filled, '0')
    }
    Object.assign(settings, { trading: 'live' })
  })

  test('an order is refused by the signer that is recovered, and by its salt once that is spent', async () => {
    const wrong = await signed({ salt: '6' })
    const { body: other } = await post('/orders/preview', { ...wrong, salt: '7' })
    assert.equal(other.refusals[0].code, 'ORDER_BAD_SIGNING_KEY')
    assert.equal(other.refusals[0].recovered, other.recovered_signer)
    const resting = await signed({ salt: '8', limit_price: `${20_000n * STEP}` })
    const { body: built } = await post('/orders/build', resting)
    await live.send([{ from: WALLET, to: built.to, data: built.data as Hex }])
    const { body: again } = await post('/orders/preview', resting)
    assert.deepEqual(
      again.refusals.map(({ code }: { code: string }) => code),
      ['ORDER_INVALID_SALT'],
    )
  })

  test('an order is built as a call that places it, unsigned by the wallet, in place of another', async () => {
    const wish = { salt: '9', limit_price: `${20_100n * STEP}` }
    const { status, body: built } = await post('/orders/build', wish)
    assert.equal(status, 200, JSON.stringify(built))
    assert.ok(isOf(OrderBuilt, built))
    assert.equal(hashTypedData(built.typed_data), built.digest)
    assert.equal(built.chain_id, CHAIN_ID)
    await live.send([{ from: WALLET, to: built.to, data: built.data }])
    await follow()
    const mine = () => [...model.state.records.order.values()].filter(({ tick }) => tick < 25_000)
    const old = mine().find(({ tick }) => tick === 20_100)
    assert.ok(old !== undefined)
    const replaces = `${old.market}${old.number.toString(16).padStart(16, '0')}`
    const edit = { salt: '10', limit_price: `${20_200n * STEP}`, replaces }
    const { body: preview } = await post('/orders/preview', edit)
    assert.deepEqual([preview.is_accepted, preview.resting], [true, '0.3'])
    const { body: replacing } = await post('/orders/build', edit)
    await live.send([{ from: WALLET, to: replacing.to, data: replacing.data }])
    await follow()
    assert.ok(!mine().some(({ number }) => number === old.number))
    assert.ok(mine().some(({ tick }) => tick === 20_200))
  })

  test('an order is built only as a signature where the contract checks it against a trigger', async () => {
    const stop = { stop: 'STOP_LOSS', trigger: `${3_100n * E18}` }
    const { status, body } = await post('/orders/build', stop)
    assert.deepEqual([status, body.error], [400, 'MISSING_PARAMETER'])
    assert.equal(body.details[0].field, 'signature')
    const digest = (await post('/orders/preview', stop)).body.order_id
    const { body: built } = await post('/orders/build', {
      ...stop,
      signature: await signDigest(KEY, digest),
    })
    assert.equal(built.digest, digest)
  })

  test('an order is built only as a signature where the contract counts the fills of a replaced order', async () => {
    const edit = { replaces: `0x${'0'.repeat(63)}1`, replaces_amount: `${E18}` }
    const { status, body } = await post('/orders/build', edit)
    assert.deepEqual([status, body.error], [400, 'MISSING_PARAMETER'])
    const [{ field, message }] = body.details
    assert.equal(field, 'signature')
    assert.match(message, /^signature is required for an order with replaces_amount/)
  })

  test('an order is of the account of the key, in whole steps, and takes a key', async () => {
    for (const url of ['/orders/preview', '/orders/build']) {
      const other = await post(url, { maker: `0x${'11'.repeat(20)}` })
      assert.deepEqual([other.status, other.body.error], [403, 'FORBIDDEN_ACCOUNT'])
      const off = await post(url, { limit_price: `${30_200n * STEP + 1n}` })
      assert.deepEqual([off.status, off.body.error], [400, 'INVALID_PRICE_STEP_SIZE'])
      assert.equal((await post(url, {}, {})).status, 401)
    }
    const small = await post('/orders/build', { amount: `${LOT}` })
    assert.equal(small.body.error, 'BELOW_MIN_ORDER_VALUE')
  })

  test('an order of a spot market is previewed with balances', async () => {
    const wish = { instrument: 'ETH-USDC', limit_price: `${30_000n * 10_000n}`, amount: `${E18}` }
    const { status, body } = await post('/orders/preview', wish)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(isOf(OrderPreview, body))
    assert.equal(body.resting, '1')
    const quote = (text: string) => parseDecimal(text, 6) ?? 0n
    const { before: free, after: left } = body.balances
    assert.equal(quote(free.quote) - quote(left.quote), 300_000_000n)
    assert.ok(!('margin' in body) && !('position' in body))
  })
})
