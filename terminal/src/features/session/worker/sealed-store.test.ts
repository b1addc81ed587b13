import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SealedStore } from './sealed-store.ts'

function memory() {
  const stored = new Map<string, unknown>()
  return {
    stored,
    records: {
      read: async (name: string) => stored.get(name),
      write: async (name: string, record: unknown) => void stored.set(name, record),
      clear: async () => stored.clear(),
    },
  }
}

describe('encrypted records', () => {
  test('encrypted records can be decrypted, also by another page of the same browser', async () => {
    const { records } = memory()
    await new SealedStore(records).write('account', 'a secret')
    assert.equal(await new SealedStore(records).read('account'), 'a secret')
  })

  test('encrypted records contain no plain text, and their key is not extractable', async () => {
    const { stored, records } = memory()
    await new SealedStore(records).write('account', 'a secret')
    const sealed = stored.get('account') as { bytes: ArrayBuffer }
    assert.ok(!Buffer.from(sealed.bytes).includes('a secret'))
    const key = stored.get('sealing-key') as CryptoKey
    assert.equal(key.extractable, false)
    await assert.rejects(crypto.subtle.exportKey('raw', key))
  })

  test('encrypted records are unreadable under another name or after a changed bit', async () => {
    const { stored, records } = memory()
    const store = new SealedStore(records)
    await store.write('account', 'a secret')
    stored.set('other', stored.get('account'))
    assert.equal(await store.read('other'), undefined)
    const sealed = stored.get('account') as { bytes: ArrayBuffer }
    const bytes = new Uint8Array(sealed.bytes)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    assert.equal(await store.read('account'), undefined)
  })

  test('encrypted records never repeat the same bytes, and clearing leaves nothing', async () => {
    const { stored, records } = memory()
    const store = new SealedStore(records)
    const bytesNow = () => Buffer.from((stored.get('account') as { bytes: ArrayBuffer }).bytes)
    await store.write('account', 'a secret')
    const first = bytesNow()
    await store.write('account', 'a secret')
    assert.notDeepEqual(bytesNow(), first)
    await store.clear()
    assert.equal(stored.size, 0)
    assert.equal(await store.read('account'), undefined)
  })
})
