// The checker on a relayer, contracts and a chain that are real: what they did is found to be kept,
// and what is planted among it is found broken.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderId } from '@openvenue/core/ids'
import type { NewIntent } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { ACCOUNT_SETTINGS } from '../../api/src/node/account-settings.ts'
import { NOTHING_PUBLISHED } from '../../api/src/rest/published.ts'
import { funded } from '../../api/test/funded.ts'
import { BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from '../../api/test/scenario-node.ts'
import { LiveOrders } from '../../keeper/test/live-orders.ts'
import { CHAIN_ID, derivePrivateKey } from '../../keeper/test/live-sender.ts'
import { LiveVenue, only } from '../../keeper/test/live-venue.ts'
import { checkRelay } from './check.ts'
import { createRpc } from './rpc.ts'
import type { Get } from './venue.ts'

const [ALICE, BOB] = [1, 2] as const
const KEYS = [derivePrivateKey(6), derivePrivateKey(7)]
const RECEIPT_KEY = derivePrivateKey(8)
const GAS_PER_BLOCK = 10_000_000
/** A second each: enough for a busy machine. */
const PROMISED_BLOCKS = 30
/** Beyond the delay of the ledger. */
const LATER_S = 60

describe('check-relay beside a relayer', () => {
  let live: LiveVenue
  let orders: LiveOrders
  let node: ScenarioNode
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    const keeper = live.keeper({
      ...only(),
      relayer: { keys: KEYS, gasPerBlock: GAS_PER_BLOCK, feeCap: 10n ** 12n, feeFloor: 0n },
    })
    keeper.start()
    node = await serve()
  })
  after(async () => {
    await node.close()
    await live.stop()
  })

  const serve = () => {
    const { intents, ledger } = live.store
    const { domainName } = orders
    const settings = { ...ACCOUNT_SETTINGS, receiptKey: RECEIPT_KEY, domainName, chainId: CHAIN_ID }
    const { spot, perps } = live.deployment
    return scenarioNode(funded('ETH-USDC').blocks(), undefined, {
      accounts: { ...BROKEN_ACCOUNTS, intents, ledger, settings },
      published: { ...NOTHING_PUBLISHED, contracts: { spot, perps } },
    })
  }
  const get: Get = async (path) => {
    node.setNow(Math.floor(live.clock.nowMs() / 1000) + LATER_S)
    const { status, body, text } = await node.get(path)
    assert.equal(status, 200, text)
    return body as never
  }
  const check = () => checkRelay(get, createRpc(live.venue.url))
  const promised = async (given: NewIntent, blocks = PROMISED_BLOCKS) => {
    const head = Number(await live.venue.call('eth_blockNumber'))
    return { ...given, includeByBlock: head + blocks }
  }

  test('check-relay finds nothing after a relayer has kept its promises', async () => {
    const placed = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        promised(
          await orders.order(ALICE, { tick: 28_000 + at, timeInForce: at % 2 === 0 ? 0 : 3 }),
        ),
      ),
    )
    await orders.accept(placed)
    await orders.reach('included', placed)
    const crossing = { tick: 27_000, isBuy: false, timeInForce: 3 }
    const refused = await promised(await orders.order(BOB, crossing))
    await orders.accept([refused])
    await orders.reach('refused', [refused])
    await orders.allow(ALICE, privateKeyToAddress(KEYS[0] ?? '0x'))
    const cancel = await promised(await orders.cancel(ALICE, placed[0]?.id ?? ''))
    await orders.accept([cancel])
    await orders.reach('included', [cancel])
    const [other] = await live.store.intents.onChain([placed[1]?.id ?? ''])
    const chainId = orderId({ ...other, ref: null } as never)
    const signed = await promised(await orders.signedCancel(ALICE, [chainId]))
    await orders.accept([signed])
    await orders.reach('included', [signed])
    const { broken, counts } = await check()
    assert.deepEqual(broken, [])
    assert.deepEqual([counts.included, counts.refused, counts['receipts verified']], [14, 1, 15])
    assert.ok((counts['transactions on the chain'] ?? 0) > 0)
  })

  test('check-relay finds a promise that was kept too late', async () => {
    const late = await promised(await orders.order(ALICE, { tick: 28_100 }), -1)
    await orders.accept([late])
    await orders.reach('included', [late])
    const { broken } = await check()
    assert.deepEqual(
      broken.map(({ orderId }) => orderId),
      [late.id],
    )
    assert.match(broken[0]?.reason ?? '', /after the promised block/)
    await forget(late.id)
    // The ledger goes on, so that it ends beyond what is gone.
    const next = await promised(await orders.order(ALICE, { tick: 28_101 }))
    await orders.accept([next])
    await orders.reach('included', [next])
  })

  test('check-relay finds a signed or unsigned cancel that came later than promised', async () => {
    const placed = await Promise.all(
      [28_200, 28_201].map(async (tick) => promised(await orders.order(ALICE, { tick }))),
    )
    await orders.accept(placed)
    await orders.reach('included', placed)
    const [first, second] = await live.store.intents.onChain(placed.map(({ id }) => id))
    const chainId = orderId({ ...second, ref: null } as never)
    const late = [
      await promised(await orders.cancel(ALICE, first?.id ?? ''), -1),
      await promised(await orders.signedCancel(ALICE, [chainId]), -1),
    ]
    await orders.accept(late)
    await orders.reach('included', late)
    const { broken } = await check()
    for (const { id } of late) {
      const fault = broken.find((candidate) => candidate.orderId === id)
      assert.match(fault?.reason ?? '', /after the promised block/)
    }
    // If the ledger never had a cancel, the chain is the only evidence.
    for (const { id } of late) await forget(id)
    const next = await promised(await orders.order(ALICE, { tick: 28_202 }))
    await orders.accept([next])
    await orders.reach('included', [next])
    const { broken: dropped } = await check()
    const reasons = dropped.map((fault) => fault.reason).join('\n')
    assert.match(
      reasons,
      /cancelled by the venue in block \d+, and the cancel is not in the ledger/,
    )
  })

  test('check-relay finds a removed ledger entry by its number and by the chain', async () => {
    const { broken } = await check()
    const reasons = broken.map((fault) => fault.reason).join('\n')
    assert.match(reasons, /entries \d+ to \d+ are missing/)
    assert.match(reasons, /placed by the venue in block \d+, and is not in the ledger/)
  })

  /** Takes an order out of the database, as if it had never been promised. */
  const forget = async (id: string) => {
    for (const table of ['intent_log', 'intents'])
      await live.store.db.primary.query(`DELETE FROM ${table} WHERE id = $1`, [id])
  }
})
