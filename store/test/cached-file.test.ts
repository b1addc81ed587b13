import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { test } from 'node:test'
import { cachedFile, contentKey } from './cached-file.ts'

const bytes = (text: string) => async () => Buffer.from(text)

test('a cached file is made once and replaces the file with another key', async (t) => {
  const name = `cached-file-test-${randomUUID()}`
  const first = await cachedFile({ name, key: 'a', suffix: '.txt' }, bytes('first'))
  assert.equal(await cachedFile({ name, key: 'a', suffix: '.txt' }, bytes('again')), first)
  assert.equal(await readFile(first, 'utf8'), 'first')
  const second = await cachedFile({ name, key: 'b', suffix: '.txt' }, bytes('second'))
  t.after(() => rm(second))
  assert.equal(await readFile(second, 'utf8'), 'second')
  assert.equal(existsSync(first), false)
})

test('no file is cached when making the file fails', async () => {
  const file = { name: `cached-file-test-${randomUUID()}`, key: 'a', suffix: '.txt' }
  const broken = () => Promise.reject(new Error('disk full'))
  await assert.rejects(cachedFile(file, broken), /disk full/)
  const path = await cachedFile(file, bytes('made'))
  assert.equal(await readFile(path, 'utf8'), 'made')
  await rm(path)
})

test('the key of a cached file depends on the contents of its sources and on other inputs', () => {
  const here = import.meta.filename
  assert.equal(contentKey([here]), contentKey([here]))
  assert.notEqual(contentKey([here]), contentKey([here, here]))
  assert.notEqual(contentKey([here], [10]), contentKey([here], [11]))
})
