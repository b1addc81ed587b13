import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Mailbox, UNREAD_MAX, UnreadError } from './mailbox.ts'

const open = () => {
  let left = 0
  const box = new Mailbox<number>(() => {
    left += 1
  })
  return { box, left: () => left }
}

describe('a mailbox', () => {
  test('a mailbox delivers values in order, both buffered and awaited ones', async () => {
    const { box } = open()
    for (let n = 0; n < 3_000; n++) box.push(n)
    for (let n = 0; n < 3_000; n++) assert.equal((await box.next()).value, n)
    const next = box.next()
    box.push(3_000)
    assert.deepEqual(await next, { done: false, value: 3_000 })
  })

  test('a mailbox delivers unread values, then its error once, then the end', async () => {
    const { box } = open()
    box.push(1)
    box.fail(new Error('over'))
    box.push(2)
    assert.equal((await box.next()).value, 1)
    await assert.rejects(box.next(), /over/)
    assert.equal((await box.next()).done, true)
  })

  test('a mailbox leaves once when its reader returns or falls too far behind', async () => {
    const { box, left } = open()
    for (let n = 0; n < UNREAD_MAX; n++) box.push(n)
    assert.equal(left(), 0)
    box.push(-1)
    assert.equal(left(), 1)
    for (let n = 0; n < UNREAD_MAX; n++) assert.equal((await box.next()).value, n)
    await assert.rejects(box.next(), UnreadError)
    const other = open()
    other.box.push(1)
    for await (const value of other.box) {
      assert.equal(value, 1)
      break
    }
    assert.equal(other.left(), 1)
    assert.equal((await other.box.next()).done, true)
  })
})
