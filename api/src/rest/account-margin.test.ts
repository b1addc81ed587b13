import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { encodeFunctionData, parseAbi } from 'viem'
import { accountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'
import { CONTRACT } from '../../test/key-node.ts'
import { issueKey } from '../../test/keyed.ts'

const ABI = parseAbi([
  'function setLeverage(uint32 market, uint16 leverage)',
  'function openSub(uint32 index)',
])
const PERP = LISTINGS['ETH-PERP']
const NUMBER = Number.parseInt(PERP.id.slice(-8), 16)
const ENGINE = PERP.id.slice(0, 42)

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

type ErrorBody = {
  error: string
  details?: { field: string; nearest?: unknown; call?: Record<string, unknown> }[]
}

async function open() {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP').place('alice', 'buy', 29_999, 9n)
  const settings = { accountsContract: CONTRACT }
  const venue = await accountNode(store, scenario, { settings })
  const { headers } = await issueKey(store, venue.walletOf('alice'), 0, 4_000_000_000_000)
  const post = async (url: string, payload: unknown) => {
    const type = { 'content-type': 'application/json' }
    const sent = { method: 'POST', url, headers: { ...headers, ...type } } as const
    const answer = await venue.host.inject({ ...sent, payload: JSON.stringify(payload) })
    return { status: answer.statusCode, body: JSON.parse(answer.body) as ErrorBody }
  }
  const account = scenario.accountOf('alice')
  const setLeverage = (leverage: number) => {
    scenario.next().say({ type: 'LeverageSet', market: PERP.id, account, leverage })
    venue.follow()
  }
  return { ...venue, post, setLeverage }
}

const SUCCESS = { status: 200, body: { success: true } }

describe('POST /account/leverage', () => {
  test('POST /account/leverage succeeds when the leverage already applies, by each name of the market', async () => {
    const { post, setLeverage, close } = await open()
    for (const instrument of ['ETH-PERP', PERP.id, BigInt(PERP.id).toString()])
      assert.deepEqual(await post('/account/leverage', { instrument, leverage: 20 }), SUCCESS)
    setLeverage(5)
    const asked = { instrument: 'ETH-PERP', leverage: '5' }
    assert.deepEqual(await post('/account/leverage', asked), SUCCESS)
    await close()
  })

  test('POST /account/leverage is otherwise 409 with the call for the wallet and the current leverage', async () => {
    const { post, setLeverage, close } = await open()
    setLeverage(5)
    const { status, body } = await post('/account/leverage', {
      instrument: 'ETH-PERP',
      leverage: 7,
    })
    const [detail] = body.details ?? []
    assert.deepEqual([status, body.error, detail?.nearest], [409, 'LEVERAGE_BY_WALLET', 5])
    const data = encodeFunctionData({ abi: ABI, functionName: 'setLeverage', args: [NUMBER, 7] })
    assert.deepEqual(detail?.call, { to: ENGINE, data, value: '0', chain_id: 5042002 })
    await close()
  })

  for (const [body, status, field, nearest] of [
    [{ leverage: 5 }, 400, 'instrument', undefined],
    [{ instrument: 'ETH-PERP' }, 400, 'leverage', undefined],
    [{ instrument: 'ETH-PERP', leverage: 0 }, 400, 'leverage', 1],
    [{ instrument: 'ETH-PERP', leverage: 21 }, 400, 'leverage', 20],
    [{ instrument: 'ETH-PERP', leverage: '2.5' }, 400, 'leverage', 3],
    [{ instrument: 'ETH-PERP', leverage: 'x' }, 400, 'leverage', undefined],
    [{ instrument: 'ETH-PERP', leverage: [5] }, 400, 'leverage', undefined],
    [{ instrument: 'ETH-USDC', leverage: 5 }, 400, 'instrument', undefined],
    [{ instrument: 'NONE-PERP', leverage: 5 }, 404, 'instrument', undefined],
    [{ instrument: 'ETH-PERP', leverage: 5, lever: 1 }, 400, 'lever', undefined],
  ] as const)
    test(`POST /account/leverage refuses ${JSON.stringify(body)} by ${field}`, async () => {
      const { post, close } = await open()
      const { status: found, body: refused } = await post('/account/leverage', body)
      const [detail] = refused.details ?? []
      assert.deepEqual([found, detail?.field, detail?.nearest], [status, field, nearest])
      await close()
    })
})

describe('isolated margin', () => {
  for (const [path, crossed, isolated, field] of [
    ['/account/margin-type', { margin_type: 'CROSS' }, { margin_type: 'ISOLATED' }, 'margin_type'],
    [
      '/account/update-margin',
      { isolated_margin: '0' },
      { isolated_margin: '9.5' },
      'isolated_margin',
    ],
    ['/account/update-margin', {}, { margin_type: 'ISOLATED' }, 'margin_type'],
  ] as const)
    test(`${path} takes ${JSON.stringify(crossed)}, and answers ${JSON.stringify(isolated)} with a sub-account`, async () => {
      const { post, close } = await open()
      const instrument = 'ETH-PERP'
      assert.deepEqual(await post(path, { instrument, ...crossed }), SUCCESS)
      const { status, body } = await post(path, { instrument, ...isolated })
      const [detail] = body.details ?? []
      assert.deepEqual([status, body.error, detail?.field], [409, 'ISOLATED_BY_SUB_ACCOUNT', field])
      const data = encodeFunctionData({ abi: ABI, functionName: 'openSub', args: [NUMBER] })
      assert.deepEqual(detail?.call, { to: CONTRACT, data, value: '0', chain_id: 5042002 })
      await close()
    })

  test('isolated margin is refused by name when the body is missing or has an unknown member', async () => {
    const { post, close } = await open()
    for (const [path, body, field] of [
      ['/account/margin-type', { instrument: 'ETH-PERP' }, 'margin_type'],
      ['/account/margin-type', { instrument: 'ETH-PERP', margin_type: 'x' }, 'margin_type'],
      ['/account/margin-type', [], 'body'],
      [
        '/account/update-margin',
        { instrument: 'ETH-PERP', isolated_margin: -1 },
        'isolated_margin',
      ],
      ['/account/update-margin', { instrument: 'ETH-PERP', more: 1 }, 'more'],
    ] as const) {
      const { status, body: refused } = await post(path, body)
      assert.deepEqual([status, refused.details?.[0]?.field], [400, field])
    }
    await close()
  })
})
