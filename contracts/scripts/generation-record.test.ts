// The record of generated texts, without which every check would compile.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { findStale, fingerprint, hashInputs, recall, remember } from './generation-record.ts'

const folder = mkdtempSync(join(tmpdir(), 'openvenue-remembered-'))
after(() => rmSync(folder, { recursive: true }))

const at = (path: string) => join(folder, path)
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const inputs = (env = {}) => hashInputs(['contracts/src/**'], folder, env)

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  write('contracts/src/deep/Book.sol', 'contract Book {}')
  write('contracts/foundry.toml', 'via_ir = true')
  write('contracts/tools/solc', 'version 1')
  write('contracts/scripts/generate-abi.ts', 'writes')
  write('package-lock.json', '{"solc":1}')
})

for (const path of [
  'contracts/src/deep/Book.sol',
  'contracts/src/New.sol',
  'contracts/foundry.toml',
  'contracts/tools/solc',
  'contracts/scripts/generate-abi.ts',
  'package-lock.json',
])
  test(`a change of ${path} changes the input`, () => {
    const before = inputs()
    assert.equal(inputs(), before)
    write(path, 'changed')
    assert.notEqual(inputs(), before)
  })

test('a moved file and a changed compiler setting change the input', () => {
  const before = inputs()
  assert.notEqual(inputs({ FOUNDRY_PROFILE: 'quick' }), before)
  assert.equal(inputs({ HOME: '/root' }), before)
  rmSync(at('contracts/src/deep/Book.sol'))
  write('contracts/src/Book.sol', 'contract Book {}')
  assert.notEqual(inputs(), before)
})

test('the record returns only texts generated from the same inputs', () => {
  assert.equal(recall('abi', 'a', folder), undefined)
  const outputs = remember('abi', 'a', fingerprint({ [at('abi/book.ts')]: 'text' }), folder)
  assert.deepEqual(recall('abi', 'a', folder), outputs)
  assert.equal(recall('abi', 'b', folder), undefined)
  write('abi.json', '{"inputs":"a"')
  assert.equal(recall('abi', 'a', folder), undefined)
})

test('a committed file that differs, or is absent, is stale', () => {
  const fresh = fingerprint({ [at('abi/book.ts')]: 'text', [at('abi/lens.ts')]: 'other' })
  write('abi/book.ts', 'text')
  assert.deepEqual(findStale(fresh), [at('abi/lens.ts')])
  write('abi/lens.ts', 'other')
  assert.deepEqual(findStale(fresh), [])
  write('abi/book.ts', 'text by hand')
  assert.deepEqual(findStale(fresh), [at('abi/book.ts')])
})
