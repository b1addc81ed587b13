import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LRUCache } from 'lru-cache'
import { bounded, boundedPer, upTo } from './cached-body.ts'

test('a cache that reserves no memory keeps its number of entries, the most recently used ones', () => {
  const cache = new LRUCache<string, true>(upTo(2))
  for (const key of ['a', 'b']) cache.set(key, true)
  cache.get('a')
  cache.set('c', true)
  assert.deepEqual([...cache.keys()].sort(), ['a', 'c'])
})

describe('values kept by key', () => {
  test('a value kept by key is made once, and made again when too many others were', () => {
    const made: string[] = []
    const kept = bounded(2, (key) => made.push(key))
    for (const key of ['a', 'b', 'a', 'b']) kept(key)
    assert.deepEqual(made, ['a', 'b'])
    assert.equal(kept('b'), 2)
    for (const key of ['c', 'b', 'a']) kept(key)
    assert.deepEqual(made, ['a', 'b', 'c', 'a'])
  })

  test('a value kept by key is kept for each owner apart', () => {
    const made: string[] = []
    const kept = boundedPer(1, (owner: { name: string }, key) => made.push(owner.name + key))
    const [one, two] = [{ name: '1' }, { name: '2' }]
    for (const owner of [one, two, one, two]) kept(owner, 'a')
    assert.deepEqual(made, ['1a', '2a'])
    kept(one, 'b')
    kept(two, 'a')
    assert.deepEqual(made, ['1a', '2a', '1b'])
  })
})
