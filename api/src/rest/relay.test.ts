// GET /relay and its ledger: the relayer, its rules, and every promise.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { LEDGER_BEGIN, ledgerText } from '@openvenue/core/ledger'
import { encodeRelayStatus, type RelayStatus } from '@openvenue/core/relay'
import type { NewIntent } from '@openvenue/store/intents/intents'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { Relay, RelayLedger } from '@openvenue/wire/relay'
import { Value } from 'typebox/value'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { funded } from '../../test/funded.ts'
import { BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import { receiptId } from '../orders/relay/receipt.ts'
import { LEDGER_DELAY_MS } from './relay.ts'

const KEY = `0x${'2b'.repeat(32)}` as const
const ADDRESS = privateKeyToAddress(KEY).toLowerCase()
const WALLET = `0x${'51'.repeat(20)}`
const SECRET_PRICE = '3123450000000000000000'
const TX = `0x${'cd'.repeat(32)}`
const BLOCKS = funded('ETH-USDC').blocks()
const NOW_S = BLOCKS.at(-1)?.header.seconds ?? 0
const OLD_NS = BigInt(NOW_S * 1000 - LEDGER_DELAY_MS) * 1_000_000n
const STATUS: RelayStatus = {
  lanes: [
    {
      name: 'cancels',
      address: `0x${'c0'.repeat(20)}`,
      balance: '1',
      isFunded: true,
      queued: 0,
      sent: 0,
      gas: 0,
    },
    {
      name: 'orders-0',
      address: `0x${'c1'.repeat(20)}`,
      balance: '1',
      isFunded: false,
      queued: 2,
      sent: 1,
      gas: 250_000,
    },
  ],
  canceller: `0x${'c0'.repeat(20)}`,
  gasPerBlock: 1_000_000,
  blockMs: 500,
  ordersPerTx: 64,
  gasPerTx: 400_000,
  block: 99,
}

let made = 0
const makeIntent = (given: Partial<NewIntent> = {}): NewIntent => ({
  id: `0x${(++made).toString(16).padStart(64, '0')}`,
  account: 7,
  wallet: WALLET,
  market: `0x${'aa'.repeat(20)}00000001`,
  lane: 'orders-0',
  state: 'queued',
  gas: 66_000,
  payload: { kind: 'order', order: { limitPrice: SECRET_PRICE } as never, signature: '0x5ec4e7' },
  clientOrderId: `mine-${made}`,
  deadlineSeconds: 1_900_000_000n,
  receivedNs: OLD_NS,
  includeByBlock: 12,
  ...given,
})

describe('the relay and its ledger', () => {
  let store: Store
  let node: ScenarioNode
  before(async () => {
    store = await openMemoryStore()
    node = await open(store)
  })
  after(async () => {
    await node.close()
    await store.close()
  })
  const open = (
    { intents, ledger }: Pick<Store, 'intents' | 'ledger'>,
    receipts: Partial<typeof ACCOUNT_SETTINGS> = {},
  ) =>
    scenarioNode(BLOCKS, undefined, {
      accounts: {
        ...BROKEN_ACCOUNTS,
        intents,
        ledger,
        settings: { ...ACCOUNT_SETTINGS, receiptKey: KEY, ...receipts },
      },
    })
  const read = async <T>(url: string, schema: typeof Relay | typeof RelayLedger) => {
    const { status, body, text } = await node.get(url)
    assert.equal(status, 200, text)
    assert.ok(Value.Check(schema, body), text)
    return { body: body as T, text }
  }
  const ledger = async (query = '') =>
    (await read<RelayLedger>(`/relay/ledger${query}`, RelayLedger)).body
  const add = async (...given: Partial<NewIntent>[]) => {
    const intents = given.map(makeIntent)
    await store.intents.add(intents)
    return intents.map(({ id }) => id)
  }
  const move = (id: string, to: 'queued' | 'sent' | 'expired', more: object = {}) =>
    store.intents.move([{ id, from: ['received', 'queued', 'sent'], to, atNs: OLD_NS, ...more }])

  test('GET /relay names the signers of messages, also before there is a relayer', async () => {
    const { body } = await read<Relay>('/relay', Relay)
    assert.equal(body.receipt_key, ADDRESS)
    assert.deepEqual([body.canceller, body.lanes, body.status], [null, [], null])
    const { documents } = (await node.get('/info')).body as { documents: { relay: string } }
    assert.equal(documents.relay, '/relay')
  })

  test('GET /relay names the addresses of former and next receipt keys beside the current one', async () => {
    const FORMER = `0x${'f0'.repeat(20)}`
    const keysOf = async (receipts: Partial<typeof ACCOUNT_SETTINGS>) => {
      const other = await open(store, receipts)
      const { body } = (await other.get('/relay')) as { body: Relay }
      await other.close()
      assert.ok(Value.Check(Relay, body))
      return [body.receipt_key, body.receipt_keys]
    }
    assert.deepEqual(await keysOf({}), [ADDRESS, [ADDRESS]])
    const rotated = { receiptAddresses: [FORMER, ADDRESS] }
    assert.deepEqual(await keysOf(rotated), [ADDRESS, [ADDRESS, FORMER]])
    assert.deepEqual(await keysOf({ receiptKey: undefined, receiptAddresses: [FORMER] }), [
      null,
      [FORMER],
    ])
  })

  test('GET /relay reports the state of the relayer: lanes, wallets, queue, liveness', async () => {
    const nowMs = NOW_S * 1000
    await store.intents.writeStatus(encodeRelayStatus(STATUS), nowMs - 9_000)
    const other = await open(store)
    const { body } = (await other.get('/relay')) as { body: Relay }
    assert.equal(body.canceller, STATUS.canceller)
    assert.deepEqual(
      body.lanes.map(({ name, is_funded, queued }) => [name, is_funded, queued]),
      [
        ['cancels', true, 0],
        ['orders-0', false, 2],
      ],
    )
    assert.deepEqual(body.status?.queue, { gas: 250_000, blocks: 0.25 })
    assert.equal(body.status?.is_live, true)
    other.setNow(NOW_S + 2)
    const later = (await other.get('/relay')).body as Relay
    assert.equal(later.status?.is_live, false)
    await other.close()
  })

  test('the ledger has every step by its number, and no member of an order', async () => {
    const [held = '', sent = ''] = await add(
      { state: 'received', includeByBlock: 0 },
      { lane: 'cancels', id: `cancel:0x${'ef'.repeat(32)}` },
    )
    await move(held, 'queued', { includeByBlock: 20 })
    await move(sent, 'sent', { txHash: TX })
    await move(held, 'expired')
    const { body, text } = await read<RelayLedger>('/relay/ledger', RelayLedger)
    assert.deepEqual(
      body.entries.map((entry) => [entry.seq, entry.state, entry.include_by_block, entry.tx_hash]),
      [
        [1, 'received', 0, null],
        [2, 'queued', 12, null],
        [3, 'queued', 20, null],
        [4, 'sent', 12, TX],
        [5, 'expired', 20, null],
      ],
    )
    assert.deepEqual(
      body.entries.map(({ deadline }) => deadline),
      [undefined, undefined, undefined, undefined, 1_900_000_000],
    )
    for (const secret of [SECRET_PRICE, WALLET, '5ec4e7', 'aa'.repeat(20), 'mine'])
      assert.ok(!text.includes(secret), secret)
    assert.deepEqual([body.from_seq, body.next_seq, body.head?.seq], [1, null, 5])
  })

  test('the hashes of the ledger lead to its head, which the receipt key has signed', async () => {
    const { entries, head } = await ledger()
    let before = LEDGER_BEGIN
    let pending: typeof entries = []
    for (const entry of entries) {
      pending.push(entry)
      if (entry.hash === null) continue
      const lines = pending.map((one) => ({
        seq: one.seq,
        id: one.order_id,
        kind: one.kind,
        lane: one.lane,
        state: one.state,
        atNs: one.at_ns,
        includeByBlock: one.include_by_block,
        txHash: one.tx_hash ?? undefined,
        blockNumber: one.block_number ?? undefined,
        reason: one.reason ?? undefined,
      }))
      assert.equal(entry.hash, hash('sha256', ledgerText(before, lines)))
      before = entry.hash
      pending = []
    }
    assert.equal(head?.hash, before)
    const { body: relay } = await read<Relay>('/relay', Relay)
    const message = { seq: BigInt(head?.seq ?? 0), hash: `0x${head?.hash}` }
    const { use: _, ...typed } = relay.typed_data.LedgerHead
    const signed = { ...typed, message, signature: head?.signature }
    assert.equal((await recoverTypedDataAddress(signed as never)).toLowerCase(), ADDRESS)
  })

  test('the ledger of one order has the receipts of its promises: held, and let go', async () => {
    const { entries } = await ledger(`?order_id=0x${'1'.padStart(64, '0')}`)
    assert.deepEqual(
      entries.map(({ state, receipt }) => [state, receipt?.include_by_block, receipt?.seq]),
      [
        ['received', 0, 1],
        ['queued', 20, 3],
        ['expired', undefined, undefined],
      ],
    )
    const { body: relay } = await read<Relay>('/relay', Relay)
    const { use: _, ...typed } = relay.typed_data.Receipt
    for (const { receipt } of entries.slice(0, 2)) {
      const message = {
        orderId: receipt?.order_id,
        receivedNs: BigInt(receipt?.received_ns ?? 0),
        seq: BigInt(receipt?.seq ?? 0),
        lane: receipt?.lane,
        includeByBlock: BigInt(receipt?.include_by_block ?? 0),
      }
      const signed = { ...typed, message, signature: receipt?.signature }
      assert.equal((await recoverTypedDataAddress(signed as never)).toLowerCase(), ADDRESS)
    }
    const cancel = await ledger(`?order_id=cancel:0x${'ef'.repeat(32)}`)
    assert.equal(cancel.entries[0]?.receipt?.order_id, receiptId(`cancel:0x${'ef'.repeat(32)}`))
    assert.deepEqual((await ledger(`?order_id=0x${'ab'.repeat(32)}`)).entries, [])
  })

  test('the ledger is read in pages that lead from one to the next', async () => {
    const all = await ledger()
    const found: number[] = []
    for (let next: number | null = 1; next !== null; ) {
      const page: RelayLedger = await ledger(`?from_seq=${next}&limit=2`)
      found.push(...page.entries.map(({ seq }) => seq))
      next = page.next_seq
    }
    assert.deepEqual(
      found,
      all.entries.map(({ seq }) => seq),
    )
    assert.equal((await ledger('?from_seq=1000000')).entries.length, 0)
  })

  test('the ledger does not show pending entries: they appear after ten seconds', async () => {
    const before = await ledger()
    await add({ receivedNs: OLD_NS + 1n })
    assert.deepEqual((await ledger()).head, before.head)
    assert.equal((await ledger()).entries.length, before.entries.length)
    node.setNow(NOW_S + 1)
    assert.equal((await ledger()).entries.length, before.entries.length + 1)
    node.setNow(NOW_S)
  })

  for (const [query, field] of [
    ['?from_seq=0', 'from_seq'],
    ['?from_seq=x', 'from_seq'],
    ['?order_id=0x12', 'order_id'],
    ['?limit=0', 'limit'],
  ] as const)
    test(`GET /relay/ledger${query} is refused, naming ${field}`, async () => {
      const { status, text } = await node.get(`/relay/ledger${query}`)
      assert.equal(status, 400)
      assert.match(text, new RegExp(field))
    })

  test('the ledger without the database is 503 with a time to come back', async () => {
    const { intents, ledger } = BROKEN_ACCOUNTS
    const broken = await open({ intents, ledger })
    for (const url of ['/relay', '/relay/ledger']) {
      const { status, body, headers } = await broken.get(url)
      assert.equal(status, 503)
      assert.equal((body as { error: string }).error, 'HISTORY_UNAVAILABLE')
      assert.ok(headers['retry-after'])
    }
    await broken.close()
  })
})
