import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { privateKeyToAddress, sign } from 'viem/accounts'
import type { Hex } from '../../http/signature-hex.ts'
import { recoverSigner, signDigest } from './signing-keys.ts'

const bytes32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
// Not on the curve, both.
const key = bytes32.filter((hex) => BigInt(hex) > 0n && !hex.startsWith('0xffffffff'))

test('a signature is the one that wallets make, byte for byte, and of its key', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, key, async (hash, privateKey) => {
      const signature = signDigest(hash, privateKey)
      assert.equal(signature, await sign({ hash, privateKey, to: 'hex' }))
      assert.equal(recoverSigner(hash, signature), privateKeyToAddress(privateKey).toLowerCase())
    }),
    { numRuns: 50 },
  )
})
