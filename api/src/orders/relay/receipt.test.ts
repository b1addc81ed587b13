import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createReceipts, receiptId, venueTypedData } from './receipt.ts'

const KEY = `0x${'2b'.repeat(32)}` as const
const SETTINGS = { chainId: 5042002, domainName: 'openvenue', receiptKey: KEY }
const PROMISED = {
  id: `0x${'ab'.repeat(32)}`,
  receivedNs: 1_789_000_000_123_456_789n,
  seq: 7,
  lane: 'orders-1',
  includeByBlock: 1234,
}
const messageOf = (promised: typeof PROMISED) => ({
  orderId: receiptId(promised.id),
  receivedNs: promised.receivedNs,
  seq: BigInt(promised.seq),
  lane: promised.lane,
  includeByBlock: BigInt(promised.includeByBlock),
})

describe('a receipt', () => {
  const receipts = createReceipts(SETTINGS)
  const signerOf = async (promised: typeof PROMISED) => {
    const { signature } = receipts.of(promised)
    const data = { ...venueTypedData(SETTINGS, 'Receipt'), message: messageOf(promised), signature }
    return (await recoverTypedDataAddress(data as never)).toLowerCase()
  }

  test('a receipt has the members of the promise', async () => {
    const { signature, ...said } = receipts.of(PROMISED)
    assert.deepEqual(said, {
      order_id: PROMISED.id,
      received_ns: '1789000000123456789',
      seq: 7,
      lane: 'orders-1',
      include_by_block: 1234,
    })
    assert.match(signature, /^0x[0-9a-f]{130}$/)
  })

  test('a receipt is signed by the key whose address is published, over the typed data published', async () => {
    assert.equal(receipts.address, privateKeyToAddress(KEY).toLowerCase())
    assert.equal(await signerOf(PROMISED), receipts.address)
    assert.equal(await signerOf({ ...PROMISED, includeByBlock: 0, lane: 'é' }), receipts.address)
  })

  test('a receipt of one member changed is another signature', async () => {
    const { signature } = receipts.of(PROMISED)
    const changes = [
      { id: `0x${'ac'.repeat(32)}` },
      { receivedNs: 1n },
      { seq: 8 },
      { lane: 'orders-2' },
      { includeByBlock: 1235 },
    ]
    for (const change of changes)
      assert.notEqual(receipts.of({ ...PROMISED, ...change }).signature, signature)
  })

  test('a receipt has the same bytes from another node', async () => {
    assert.deepEqual(createReceipts(SETTINGS).of(PROMISED), receipts.of(PROMISED))
  })

  test('a receipt of another chain or another network is another signature', async () => {
    const { signature } = receipts.of(PROMISED)
    for (const change of [{ chainId: 1 }, { domainName: 'openvenue-mainnet' }]) {
      const other = createReceipts({ ...SETTINGS, ...change }).of(PROMISED)
      assert.notEqual(other.signature, signature)
    }
  })

  test('a receipt of an unsigned cancel has the hash of its name', async () => {
    const id = `cancel:0x${'ab'.repeat(32)}`
    const { order_id } = receipts.of({ ...PROMISED, id })
    assert.match(order_id, /^0x[0-9a-f]{64}$/)
    assert.notEqual(order_id, PROMISED.id)
    assert.equal(await signerOf({ ...PROMISED, id }), receipts.address)
  })
})

test('the head of the ledger is signed by the published typed data', async () => {
  const receipts = createReceipts(SETTINGS)
  const hash = 'cd'.repeat(32)
  const signature = receipts.signHead({ seq: 9, hash })
  const message = { seq: 9n, hash: `0x${hash}` }
  const data = { ...venueTypedData(SETTINGS, 'LedgerHead'), message, signature }
  const signer = await recoverTypedDataAddress(data as never)
  assert.equal(signer.toLowerCase(), receipts.address)
  assert.notEqual(receipts.signHead({ seq: 10, hash }), signature)
})
