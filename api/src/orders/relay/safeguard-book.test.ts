import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SafeguardChanges } from '@openvenue/store/intents/safeguards'
import { SafeguardBook } from './safeguards.ts'

/** A book over a database whose answers the test gives, in its order. */
function bookOver(answers: readonly Promise<Partial<SafeguardChanges>>[]) {
  const asked: number[] = []
  const book = new SafeguardBook({
    safeguards: {
      changesAfter: async (changed) => {
        const answer = await answers[asked.push(changed) - 1]
        return { changed, disconnects: [], mmp: [], nowMs: 0, ...answer }
      },
      onChange: () => () => {},
    },
    clock: { monotonicMs: () => 0 },
    delay: async () => {},
    log: { warn: () => {} },
  })
  return { book, asked }
}

const enabled = { changed: 4, disconnects: [{ account: 7, isEnabled: true }] }

test('the safeguard book knows no account with cancel-on-disconnect before its first read', async () => {
  const { book } = bookOver([Promise.reject(new Error('away')), Promise.resolve(enabled)])
  assert.equal(book.endsWithConnection(7), undefined)
  await assert.rejects(book.refresh())
  assert.equal(book.endsWithConnection(7), undefined)
  await book.refresh()
  assert.deepEqual([book.endsWithConnection(7), book.endsWithConnection(8)], [true, false])
})

test('the safeguard book reads once at a time, from the last change that it has read', async () => {
  const disabled = { changed: 5, disconnects: [{ account: 7, isEnabled: false }] }
  const { book, asked } = bookOver([Promise.resolve(enabled), Promise.resolve(disabled)])
  await Promise.all([book.refresh(), book.refresh()])
  assert.deepEqual(asked, [-1, 4])
  assert.equal(book.endsWithConnection(7), false)
})
