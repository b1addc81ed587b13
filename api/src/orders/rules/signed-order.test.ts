import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPOT_ENGINE } from '@openvenue/core/test/scenario/listing'
import { plainMarket } from '@openvenue/core/test/scenario/plain-market'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { ORDER_SETTINGS, orderKey, signDigest } from '../../../test/order-model.ts'
import {
  orderDigest,
  orderMembers,
  orderTypedData,
  type SignedOrder,
  signedOrder,
} from './signed-order.ts'
import { recoverSigner } from './signing-keys.ts'

const VECTOR_ENGINE = `0x${'c0de5'.padStart(40, '0')}`
const KEY = orderKey(0xa11cen)
const VECTOR: SignedOrder = {
  account: KEY.address.toLowerCase(),
  market: 7,
  isBuy: true,
  limitPrice: 1_990_000_000n,
  amount: 10n ** 18n,
  timeInForce: 3,
  reduceOnly: true,
  triggerKind: 2,
  triggerPrice: 1_995_000_000n,
  goodTil: 1_900_000_000n,
  maxFills: 9,
  replaces: '0x00000000000000000000000000000000000c0de5000000070000000000000029',
  replacesAmount: 5n * 10n ** 17n,
  salt: (1n << 255n) | 77n,
  deadline: 1_800_000_000n,
}

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((of) => `0x${Buffer.from(of).toString('hex')}`)
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const anyOrder: fc.Arbitrary<SignedOrder> = fc.record(
  {
    account: hex(20),
    market: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    isBuy: fc.boolean(),
    limitPrice: uint256,
    amount: uint256,
    timeInForce: fc.integer({ min: 0, max: 3 }),
    reduceOnly: fc.boolean(),
    triggerKind: fc.integer({ min: 0, max: 2 }),
    triggerPrice: uint256,
    goodTil: uint256,
    maxFills: fc.integer({ min: 0, max: 255 }),
    replaces: hex(32),
    replacesAmount: uint256,
    salt: uint256,
    deadline: uint256,
  },
  { noNullPrototype: true },
)

test('an order has the digest that the contract computes', () => {
  assert.equal(
    orderDigest(ORDER_SETTINGS, VECTOR_ENGINE, VECTOR),
    '0x55092ae07cc748f86f71723e549cf3e0d9fe834633fd8b623a62e84461a60dcb',
  )
})

test('any order, at any engine and chain, has the digest that wallets compute', () => {
  const chain = fc.integer({ min: 1, max: 2 ** 40 })
  fc.assert(
    fc.property(anyOrder, hex(20), chain, fc.string(), (order, engine, chainId, domainName) => {
      const settings = { chainId, domainName }
      const typedData = orderTypedData(settings, plainMarket(engine, order.market), order)
      assert.equal(orderDigest(settings, engine, order), hashTypedData(typedData as never))
    }),
  )
})

test('an order is the same when its members have been text', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      assert.deepEqual(signedOrder(JSON.parse(JSON.stringify(orderMembers(order)))), order)
    }),
  )
})

test('the signer of a digest is recovered, and none where no key can have signed', async () => {
  const digest = orderDigest(ORDER_SETTINGS, SPOT_ENGINE, VECTOR)
  for (const number of [1n, 2n, 0xa11cen, 2n ** 200n]) {
    const key = orderKey(number)
    const signature = await signDigest(key, digest)
    assert.equal(recoverSigner(digest, signature), key.address.toLowerCase())
    const otherLast = signature.endsWith('1b') ? '1c' : '1b'
    assert.notEqual(
      recoverSigner(digest, signature.slice(0, -2) + otherLast),
      key.address.toLowerCase(),
    )
  }
  for (const r of ['00'.repeat(32), 'ff'.repeat(32), `${'00'.repeat(31)}05`])
    assert.equal(recoverSigner(digest, `0x${r}${'11'.repeat(32)}1b`), undefined)
})
