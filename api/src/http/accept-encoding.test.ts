import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedCoding } from './accept-encoding.ts'

const CASES: readonly (readonly [string | undefined, string | undefined, boolean?])[] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;Q=1, BR;Q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined, true],
  ['gzip, *;q=0', 'gzip', true],
  ['gzip, identity;q=0', 'gzip', true],
  ['identity;q=0', undefined, true],
  ['identity;q=0, *', 'br', true],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip;q=nonsense', undefined],
  ['gzip;q=7, br;q=-1', undefined],
  [' gzip ; q=0.3 ,, ;;', 'gzip'],
]

for (const [header, coding, refusesRaw = false] of CASES)
  test(`Accept-Encoding: ${header ?? '(absent)'} chooses ${coding ?? 'the raw body'}`, () => {
    assert.deepEqual(acceptedCoding(header), { coding, refusesRaw })
  })

test('a header of 8 KB is not read: the answer is raw', () => {
  assert.equal(acceptedCoding(`gzip,${'x,'.repeat(4096)}`).coding, undefined)
})
