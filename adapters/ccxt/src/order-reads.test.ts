import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openvenue } from './openvenue.ts'

const exchange = new openvenue()

/** Fakes pages of two rows, endless unless `last` is one of the rows. */
function pagesOf(last = Number.POSITIVE_INFINITY) {
  const cursors: unknown[] = []
  const read = async (cursor: { cursor?: string; direction?: 'next' }) => {
    cursors.push(cursor)
    const page = Number(cursor.cursor ?? 0)
    const next_cursor = page < last ? String(page + 1) : null
    return { rows: [2 * page, 2 * page + 1], pagination: { next_cursor } as never }
  }
  return { cursors, read }
}

test('a list of orders is read page by page to its end', async () => {
  const { cursors, read } = pagesOf(2)
  assert.deepEqual(await exchange.readPages(read), [0, 1, 2, 3, 4, 5])
  const next = (cursor: string) => ({ cursor, direction: 'next' })
  assert.deepEqual(cursors, [{}, next('1'), next('2')])
})

test('a list of orders is read to the limit, or to the maximum number of pages', async () => {
  const { cursors, read } = pagesOf()
  assert.deepEqual(await exchange.readPages(read, 3), [0, 1, 2])
  assert.equal(cursors.length, 2)
  assert.equal((await exchange.readPages(read)).length, 40)
})
