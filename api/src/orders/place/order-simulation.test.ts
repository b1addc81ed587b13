import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { E18 } from '@openvenue/core/integers'
import { accountWallet } from '@openvenue/core/test/scenario/listing'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { type Abi, encodeErrorResult, encodeFunctionData, type Hex } from 'viem'
import { ORDER_SETTINGS, orderKey, orderModel, signDigest } from '../../../test/order-model.ts'
import { contractProblem, errorCode, KNOWN_ERRORS } from '../rules/contract-errors.ts'
import { type ParsedOrder, parseOrder } from '../rules/order-body.ts'
import { encodePlaceSigned } from '../rules/signed-order.ts'
import { createOrderSimulation } from './order-simulation.ts'

const { model } = orderModel(
  scenario()
    .list('ETH-USDC')
    .index('ETH', 3_000n * E18)
    .list('ETH-PERP')
    .poke()
    .blocks(),
)
const ABIS = [perpsAbi, spotAbi] as readonly Abi[]
const TAKEN = `0x${'07'.padStart(64, '0')}`

async function signedOrder(salt = 1, members: object = {}): Promise<ParsedOrder> {
  const context = { model, settings: ORDER_SETTINGS, isSignatureOptional: true }
  const body = {
    instrument: 'ETH-PERP',
    maker: accountWallet(5),
    is_buy: true,
    limit_price: `${3_000n * E18}`,
    amount: `${E18}`,
    salt,
    deadline: 2_000_000_000,
    ...members,
  }
  const signature = await signDigest(orderKey(3n), parseOrder(body, context).digest)
  return parseOrder({ ...body, signature }, context)
}

type Call = Readonly<{ id: number; params: readonly [{ to: string; data: string }, string] }>
type RpcAnswer = (calls: readonly Call[], response: ServerResponse) => void
const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** A node with the given answers. Returns its URL and the sizes of the lists it was asked. */
async function fakeNode(answer: RpcAnswer) {
  const lists: number[] = []
  const server = createServer(async (request, response) => {
    const calls: Call[] = JSON.parse((await request.toArray()).join(''))
    lists.push(calls.length)
    answer(calls, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lists }
}

const each =
  (reply: (call: Call) => object): RpcAnswer =>
  (calls, response) => {
    response.end(JSON.stringify(calls.map((call) => ({ id: call.id, ...reply(call) }))))
  }
const takesAll = each(() => ({ result: TAKEN }))
const revert = (errorName: string, args: readonly unknown[]) => {
  const abi = ABIS.find((some) =>
    some.some((item) => item.type === 'error' && item.name === errorName),
  )
  const data = encodeErrorResult({ abi: abi as Abi, errorName, args })
  return { error: { code: 3, message: 'execution reverted', data } }
}

test('a placement is the call of the ABI', async () => {
  const { order, signature } = await signedOrder(7, { stop: 'STOP_LOSS', trigger: `${E18}` })
  const args = [order, signature]
  const data = encodeFunctionData({ abi: perpsAbi as Abi, functionName: 'placeSigned', args })
  assert.equal(encodePlaceSigned(order, signature as Hex), data)
})

test('every error that is known is one of the contracts, with these arguments', () => {
  const declared = new Set(
    ABIS.flat().flatMap((item) =>
      item.type === 'error' ? [`${item.name}(${item.inputs.map(({ type }) => type)})`] : [],
    ),
  )
  for (const known of KNOWN_ERRORS) assert.ok(declared.has(known), known)
})

test('each error of a placement gives its code, with the numbers that it has', async () => {
  const perp = await signedOrder()
  const spot = await signedOrder(1, { instrument: 'ETH-USDC', limit_price: '3000000000' })
  const sell = await signedOrder(1, { is_buy: false })
  const zero = `0x${'00'.repeat(20)}`
  const cases: readonly [ParsedOrder, string, readonly unknown[], string, object][] = [
    [perp, 'PriceOffStep', [15n, 10n], 'INVALID_PRICE_STEP_SIZE', { lower: '10', upper: '20' }],
    [perp, 'AmountOffStep', [15n, 10n], 'INVALID_AMOUNT_STEP_SIZE', { step: '10' }],
    [perp, 'OrderValueBelowMinimum', [E18, 3n * E18], 'BELOW_MIN_ORDER_VALUE', { minimum: '3' }],
    [perp, 'OrderValueAboveMaximum', [E18, 3n * E18], 'EXCEED_MAX_ORDER_VALUE', { maximum: '3' }],
    [perp, 'OpenInterestAboveMaximum', [1_300n, 1_000n], 'EXCEEDS_MAX_NOTIONAL', { room: '0.7' }],
    [perp, 'NotionalAboveMaximum', [4n * E18, 3n * E18], 'EXCEEDS_MAX_NOTIONAL', { maximum: '3' }],
    [perp, 'MarketUnknown', [1], 'INSTRUMENT_NOT_FOUND', {}],
    [perp, 'MarketHalted', [1], 'INSTRUMENT_PAUSED', {}],
    [perp, 'MarketEnded', [1], 'INSTRUMENT_PAUSED', {}],
    [perp, 'IndexStale', [`0x${'00'.repeat(32)}`, 5n], 'INSTRUMENT_PAUSED', {}],
    [
      perp,
      'MarginTooLow',
      [-E18, 2n * E18],
      'INSUFFICIENT_MARGIN',
      { equity: '-1', required: '2', shortfall: '3' },
    ],
    [
      spot,
      'BalanceTooLow',
      [3_000_000n, 1_000_000n],
      'SPOT_NO_QUOTE_BALANCE',
      { free: '1', needed: '3' },
    ],
    [perp, 'PostOnlyWouldCross', [30_100, 30_050], 'POST_ONLY_CROSS', { best_price: '3005' }],
    [perp, 'FillOrKillUnfillable', [1_000n, 400n], 'FOK_UNFILLABLE', { fillable: '0.4' }],
    [perp, 'ReduceOnlyWouldGrow', [0n], 'NO_POSITION_REDUCE_ONLY', { position: '0' }],
    [perp, 'ReduceOnlyWouldGrow', [5n], 'INVALID_DIRECTION_REDUCE_ONLY', { position: '0.005' }],
    [sell, 'ReduceOnlyWouldGrow', [-5n], 'INVALID_DIRECTION_REDUCE_ONLY', { position: '-0.005' }],
    [perp, 'ReduceOnlyWouldGrow', [-5n], 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY', {}],
    [spot, 'ReduceOnlyAtSpot', [], 'INVALID_PARAMETER', {}],
    [perp, 'SignerUnfit', [zero, zero], 'ORDER_BAD_SIGNING_KEY', {}],
    [perp, 'SignatureMalformed', [], 'ORDER_BAD_SIGNATURE', {}],
    [perp, 'SaltSpent', [1n], 'ORDER_INVALID_SALT', {}],
    [perp, 'DeadlinePassed', [5n, 6n], 'ORDER_TIMED_OUT', { block_time: '6' }],
    [perp, 'GoodTilTooEarly', [5, 6n], 'ORDER_EXPIRED', {}],
    [perp, 'TriggerNotMet', [1, E18, 2n * E18], 'TRIGGER_NOT_MET', { mark_price: '2' }],
    [perp, 'OrderUnknown', [1, 5], 'ORDER_DOES_NOT_EXIST', {}],
  ]
  for (const [order, name, args, code, facts] of cases) {
    const found = contractProblem(order, revert(name, args).error.data)
    assert.equal(found.code, code, name)
    assert.deepEqual({ ...found.facts, ...facts, contract_error: name }, found.facts)
    assert.ok(found.message.length > 0)
    // A block has the name of the error only, without the position.
    const byName = name === 'ReduceOnlyWouldGrow' ? 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY' : code
    assert.equal(errorCode(order, name), byName, name)
  }
  assert.equal(errorCode(perp, 'OutOfGas'), undefined)
  assert.equal(contractProblem(perp, '0x12345678').code, 'ORDER_REFUSED')
  assert.equal(contractProblem(perp, undefined).code, 'ORDER_REFUSED')
  // Arguments that are none do not break it.
  const selector = revert('MarginTooLow', [1n, 1n]).error.data.slice(0, 10)
  assert.equal(contractProblem(perp, `${selector}12`).code, 'ORDER_REFUSED')
})

describe('asking a node about orders', () => {
  test('asking a node about orders is one request for a list, and for all who ask at once', async () => {
    const { url, lists } = await fakeNode(
      each(({ params: [{ data }] }) =>
        BigInt(`0x${data.slice(10 + 13 * 64, 10 + 14 * 64)}`) === 2n
          ? revert('SaltSpent', [2n])
          : { result: TAKEN },
      ),
    )
    const simulate = createOrderSimulation([url])
    const orders = await Promise.all([1, 2, 3].map((salt) => signedOrder(salt)))
    const [list, other] = await Promise.all([simulate(orders), simulate(orders.slice(1))])
    assert.deepEqual(
      list.map((found) => found?.code),
      [undefined, 'ORDER_INVALID_SALT', undefined],
    )
    assert.deepEqual(
      other.map((found) => found?.code),
      ['ORDER_INVALID_SALT', undefined],
    )
    assert.deepEqual(lists, [5])
    assert.deepEqual(await simulate([]), [])
  })

  test('asking a node about orders shares the next request with whoever comes while two are under way', async () => {
    const held: (() => void)[] = []
    const { url, lists } = await fakeNode((calls, response) => {
      held.push(() => takesAll(calls, response))
    })
    const simulate = createOrderSimulation([url])
    const order = await signedOrder()
    const arrived = async (count: number) => {
      while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
    }
    const asked = [simulate([order])]
    await arrived(1)
    asked.push(simulate([order]))
    await arrived(2)
    for (let i = 0; i < 50; i++) asked.push(simulate([order]))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(lists, [1, 1])
    held[0]?.()
    await arrived(3)
    for (const answer of held.slice(1)) answer()
    assert.equal((await Promise.all(asked)).length, 52)
    assert.deepEqual(lists, [1, 1, 50])
  })

  test('asking a node about orders is 503 when the node is dead, slow or lies, and never hangs', async () => {
    const order = await signedOrder()
    const slow = await fakeNode(() => {})
    const lies = [
      each(() => ({ result: '0x' })),
      each(() => ({ result: `0x${'00'.repeat(32)}` })),
      each(() => ({ result: 7 })),
      each(() => ({})),
      each(() => ({ error: { code: -32_005, message: 'limit exceeded' } })),
      (_calls: unknown, response: ServerResponse) => response.end('not json'),
      (_calls: unknown, response: ServerResponse) => response.end('[]'),
      (_calls: unknown, response: ServerResponse) => response.end('x'.repeat(2 ** 21)),
      (_calls: unknown, response: ServerResponse) => response.destroy(),
    ] as readonly RpcAnswer[]
    const urls = await Promise.all(lies.map(async (lie) => (await fakeNode(lie)).url))
    for (const url of ['http://127.0.0.1:1', slow.url, ...urls])
      await assert.rejects(createOrderSimulation([url], { answerMsMax: 200 })([order]), {
        code: 'CHAIN_UNAVAILABLE',
        status: 503,
      })
  })

  test('asking a node about orders asks the next node where one fails', async () => {
    const { url } = await fakeNode(takesAll)
    const mute = await fakeNode(each(() => ({ result: '0x' })))
    const simulate = createOrderSimulation(['http://127.0.0.1:1', mute.url, url])
    assert.deepEqual(await simulate([await signedOrder()]), [undefined])
  })

  test('asking a node about orders lets no item that has no answer spoil the others', async () => {
    let calls = 0
    const { url } = await fakeNode(
      each(() =>
        calls++ === 0 ? { error: { code: -32_000, message: 'busy' } } : { result: TAKEN },
      ),
    )
    const simulate = createOrderSimulation([url])
    const order = await signedOrder()
    const [bad, good] = await Promise.allSettled([simulate([order]), simulate([order])])
    assert.deepEqual([bad?.status, good?.status], ['rejected', 'fulfilled'])
  })

  test('asking a node about orders refuses orders that wait beyond its limits', async () => {
    const { url, lists } = await fakeNode(() => {})
    let now = 0
    const simulate = createOrderSimulation([url], { answerMsMax: 200, nowMs: () => now })
    const order = await signedOrder()
    const many = Array.from({ length: 2_400 }, () => simulate([order]))
    const settled = Promise.allSettled(many)
    now = 10_000
    const results = await settled
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.ok(lists.length <= 2, `${lists.length} requests`)
  })
})
