import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SealedStore } from './sealed-store.ts'

function memory() {
  const kept = new Map<string, unknown>()
  return {
    kept,
    records: {
      read: async (name: string) => kept.get(name),
      write: async (name: string, record: unknown) => void kept.set(name, record),
      clear: async () => kept.clear(),
    },
  }
}

describe('encrypted records', () => {
  test('can be decrypted, also by another page of the same browser', async () => {
    const { records } = memory()
    await new SealedStore(records).write('account', 'a secret')
    assert.equal(await new SealedStore(records).read('account'), 'a secret')
  })

  test('do not contain the plain text, and their key is not extractable', async () => {
    const { kept, records } = memory()
    await new SealedStore(records).write('account', 'a secret')
    const sealed = kept.get('account') as { bytes: ArrayBuffer }
    assert.ok(!Buffer.from(sealed.bytes).includes('a secret'))
    const key = kept.get('sealing-key') as CryptoKey
    assert.equal(key.extractable, false)
    await assert.rejects(crypto.subtle.exportKey('raw', key))
  })

  test('cannot be decrypted under another name, or after a changed bit', async () => {
    const { kept, records } = memory()
    const store = new SealedStore(records)
    await store.write('account', 'a secret')
    kept.set('other', kept.get('account'))
    assert.equal(await store.read('other'), undefined)
    const sealed = kept.get('account') as { bytes: ArrayBuffer }
    const bytes = new Uint8Array(sealed.bytes)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    assert.equal(await store.read('account'), undefined)
  })

  test('never repeat the same bytes, and nothing is left after clearing', async () => {
    const { kept, records } = memory()
    const store = new SealedStore(records)
    const bytesNow = () => Buffer.from((kept.get('account') as { bytes: ArrayBuffer }).bytes)
    await store.write('account', 'a secret')
    const first = bytesNow()
    await store.write('account', 'a secret')
    assert.notDeepEqual(bytesNow(), first)
    await store.clear()
    assert.equal(kept.size, 0)
    assert.equal(await store.read('account'), undefined)
  })
})
