import assert from 'node:assert/strict'
import { test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { accountWallet, LISTINGS } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS, scenario } from '@openvenue/core/test/scenario/scenario'
import { ORDER_SETTINGS, orderKey, orderModel, signDigest } from '../../../test/order-model.ts'
import { OwnedReads } from '../../account/owned-reads.ts'
import { Refusal } from '../../http/refusals.ts'
import { type ParsedOrder, parseOrder } from '../rules/order-body.ts'
import { orderRefusal, problem } from '../rules/order-rules.ts'
import { Signers } from '../rules/signing-keys.ts'
import { admit, isOrder } from './admission.ts'
import type { SimulateOrders } from './order-simulation.ts'

const KEY = orderKey(9n)
const NOW = SCENARIO_START_SECONDS
const STEP = LISTINGS['ETH-PERP'].priceStep
const away = () => Promise.reject(new Error('away'))

/** A node with the account and the key of alice; `simulate` replaces the chain. */
function admission(simulate: SimulateOrders) {
  const played = scenario()
    .index('ETH', 3_000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 1_000n)
    .poke()
  const account = played.accountOf('alice')
  const key = KEY.address.toLowerCase()
  played.say({ type: 'KeyRegistered', account, key, expiry: NOW + 600 } as never)
  const blocks = played.blocks()
  const { model, applyBlocks } = orderModel([])
  const signers = new Signers({
    model,
    history: { signingKey: away },
    fresh: { read: away } as never,
  })
  const owned = new OwnedReads({ model, reader: { owned: away } })
  applyBlocks(blocks)
  const clock = { nowMs: () => NOW * 1000 }
  const intentBook = { spenderOf: () => undefined, endedWith: () => undefined }
  const parts = { model, clock, settings: ORDER_SETTINGS, owned, signers, simulate, intentBook }
  const wallet = accountWallet(account)
  const order = async (members: object = {}, by = KEY): Promise<ParsedOrder> => {
    const context = { model, settings: ORDER_SETTINGS, isSignatureOptional: true }
    const body = {
      instrument: 'ETH-PERP',
      maker: wallet,
      is_buy: true,
      limit_price: `${29_000n * STEP}`,
      amount: `${E18}`,
      salt: '1',
      deadline: NOW + 60,
      ...members,
    }
    const { digest } = parseOrder(body, context)
    return parseOrder({ ...body, signature: await signDigest(by, digest) }, context)
  }
  const admitAll = async (orders: readonly ParsedOrder[]) => {
    const batch = orders.map((parsed) => ({ order: parsed, problems: [] }))
    const admitted = await admit(parts, { wallet, account }, batch)
    return admitted.filter(isOrder).map(({ problems }) => {
      return problems.length === 0 ? undefined : orderRefusal(problems)
    })
  }
  return { admit: admitAll, order }
}

test('one bad item spoils no other, and the chain is asked once about those that are left', async () => {
  const asked: (readonly ParsedOrder[])[] = []
  const { admit, order } = admission(async (orders) => {
    asked.push(orders)
    return orders.map(({ order: { salt } }) =>
      salt === 3n ? problem('ORDER_INVALID_SALT', ['salt', 'salt is spent once']) : undefined,
    )
  })
  const orders = [
    await order({ salt: '1' }),
    await order({ salt: '2', limit_price: `${29_000n * STEP + 1n}` }),
    await order({ salt: '3' }),
    await order({ salt: '4' }, orderKey(8n)),
    await order({ salt: '5', amount: `${90n * E18}` }),
    await order({ salt: '6' }),
  ]
  const refused = await admit(orders).catch((error: unknown) => [error])
  // The key of the fourth is not known, and the database is away.
  assert.ok(refused[0] instanceof Refusal && refused[0].code === 'HISTORY_UNAVAILABLE')
  const left = orders.filter((_, index) => index !== 3)
  assert.deepEqual(
    (await admit(left)).map((refusal) => refusal?.code),
    [undefined, 'INVALID_PRICE_STEP_SIZE', 'ORDER_INVALID_SALT', 'INSUFFICIENT_MARGIN', undefined],
  )
  assert.deepEqual(
    asked.map((list) => list.map(({ order: { salt } }) => salt)),
    [[1n, 3n, 6n]],
  )
})

test('an order held until its trigger is met is neither simulated nor checked against margin', async () => {
  const { admit, order } = admission(async (orders) => {
    assert.equal(orders.length, 0)
    return []
  })
  const stop = { stop: 'STOP_LOSS', trigger: `${3_100n * E18}`, amount: `${90n * E18}` }
  assert.deepEqual(await admit([await order(stop)]), [undefined])
})

test('while the chain is away orders are 503, and nothing is promised', async () => {
  const { admit, order } = admission(() =>
    Promise.reject(new Refusal('CHAIN_UNAVAILABLE', { retryAfterMs: 1 })),
  )
  await assert.rejects(admit([await order()]), { code: 'CHAIN_UNAVAILABLE' })
})

test('a refusal has the code of the first rule, and details all', async () => {
  const { admit, order } = admission(async () => [])
  const [refusal] = await admit([await order({ deadline: 5, time_in_force: 'IOC' })])
  assert.equal(refusal?.code, 'ORDER_TIMED_OUT')
  assert.deepEqual(
    refusal?.options.details?.map(({ code }) => code),
    ['ORDER_TIMED_OUT', 'IOC_ORDER_REJECTED'],
  )
})
