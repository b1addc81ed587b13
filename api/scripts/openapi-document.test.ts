import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOfJson } from './openapi-document.ts'

test('a document has each entry of its parts on a line, and is equivalent to the original', () => {
  const document = { a: 'x', b: { c: { d: { e: [1, { f: 2 }] }, g: null } }, h: [], i: [{ j: {} }] }
  const text = linesOfJson(document)
  assert.deepEqual(JSON.parse(text), document)
  assert.match(text, /^ {3}"d": \{"e":\[1,\{"f":2\}\]\},$/m)
})

test('a change of one entry changes one line', () => {
  const lines = (type: string) =>
    linesOfJson({ components: { schemas: { A: { type }, B: { type: 'x' } } } }).split('\n')
  const [before, after] = [lines('string'), lines('integer')]
  assert.equal(before.filter((line) => !after.includes(line)).length, 1)
})
