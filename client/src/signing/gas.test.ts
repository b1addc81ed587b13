import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ChainError, type ChainRpc } from '../chain/rpc.ts'
import * as calls from './calls.ts'
import { GAS_LIMITS, offerFees, readFees } from './gas.ts'

const GWEI = 1_000_000_000n
const ARC = { fee_floor_wei: String(20n * GWEI), tip_wei: String(GWEI) }
const DEVNET = { fee_floor_wei: '0', tip_wei: String(GWEI) }

/** Returns a node with `block` as its newest block; it answers no other request. */
const nodeOf = (block: unknown): ChainRpc => ({
  request: async ({ method }) => {
    if (method !== 'eth_getBlockByNumber') throw new Error(`${method} is not supported`)
    return block
  },
})

test('a fee offer leaves room for the base fee to double and is never below the floor', () => {
  const offer = (gwei: bigint, terms = ARC) => offerFees(gwei * GWEI, terms).maxFeePerGas / GWEI
  assert.equal(offer(45n), 91n)
  assert.equal(offer(20n), 41n)
  assert.equal(offer(3n), 21n)
  assert.equal(offer(0n), 21n)
  assert.equal(offer(0n, DEVNET), 1n)
  assert.equal(offerFees(0n, ARC).maxPriorityFeePerGas, GWEI)
})

test('readFees takes the base fee of the newest block without further requests', async () => {
  const { maxFeePerGas } = await readFees(nodeOf({ baseFeePerGas: '0x60db88400' }), ARC)
  assert.equal(maxFeePerGas, 53n * GWEI)
  for (const block of [{}, null])
    assert.equal((await readFees(nodeOf(block), ARC)).maxFeePerGas, 21n * GWEI)
  const silent: ChainRpc = { request: () => Promise.reject(new Error('down')) }
  await assert.rejects(readFees(silent, ARC), ChainError)
})

test('every call that a wallet sends has a gas limit in the table', () => {
  const made = Object.keys(calls).map((name) => name.replace(/Call$/, ''))
  const named = Object.keys(GAS_LIMITS).map((name) => name.replace(/Signed$/, ''))
  // The call for revoking a key has the name of the contract's function.
  const expected = named.map((name) => (name === 'revoke' ? 'revokeKey' : name))
  assert.deepEqual(made.toSorted(), expected.toSorted())
})

test('every gas limit exceeds twice the measured gas', () => {
  const measured = (engine: string) => {
    const url = new URL(`../../../contracts/snapshots/${engine}.json`, import.meta.url)
    return JSON.parse(readFileSync(url, 'utf8')) as Record<string, string>
  }
  const [spot, perps] = [measured('Spot'), measured('Perps')]
  const limits = [
    [GAS_LIMITS.deposit, spot.deposit],
    [GAS_LIMITS.deposit, perps.deposit],
    [GAS_LIMITS.withdraw, spot.withdraw],
    [GAS_LIMITS.withdraw, perps['withdraw with a position']],
  ] as const
  for (const [limit, gas] of limits) assert.ok(limit > 2n * BigInt(gas ?? Number.NaN), `${limit}`)
})
