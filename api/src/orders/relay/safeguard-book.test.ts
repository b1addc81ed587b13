import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LOG, type OutageLog } from '@openvenue/runtime/outage'
import type { SafeguardChanges } from '@openvenue/store/intents/safeguards'
import { SafeguardBook } from './safeguards.ts'

/** A book over a database whose answers the test gives, in its order. */
function bookOver(answers: readonly Promise<Partial<SafeguardChanges>>[], log = NO_LOG) {
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
    log,
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

test('a safeguard book whose reads fail a hundred times is logged once, and once when it reads again', async () => {
  const lines: string[] = []
  const add = (_facts: object, text: string) => void lines.push(text)
  const stopped = new AbortController()
  const log: OutageLog = {
    info: (facts, text) => {
      add(facts, text)
      stopped.abort()
    },
    warn: add,
  }
  const failures = Array.from({ length: 100 }, () => {
    const failure = Promise.reject(new Error('away'))
    failure.catch(() => {})
    return failure
  })
  const { book, asked } = bookOver([...failures, Promise.resolve({ changed: 4 })], log)
  await book.follow(stopped.signal)
  assert.equal(asked.length, 101)
  assert.deepEqual(lines, [
    'the rules of accounts cannot be read',
    'the rules of accounts are read again',
  ])
})
