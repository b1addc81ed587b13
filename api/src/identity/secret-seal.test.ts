// Sealed secrets: opening them, and what they reveal.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { SecretSeal } from './secret-seal.ts'

const SECRET = 'ab'.repeat(32)
const read = (seal: SecretSeal, sealed: string, owner = 'key') =>
  seal.open(sealed, owner)?.export().toString()

test('a sealed secret opens for its owner, and reveals nothing of itself', () => {
  const seal = new SecretSeal(randomBytes(32))
  const sealed = seal.seal(SECRET, 'key')
  assert.equal(read(seal, sealed), SECRET)
  assert.ok(!sealed.includes(SECRET))
  assert.notEqual(seal.seal(SECRET, 'key'), sealed, 'never the same twice')
})

test('a secret that was moved to another owner, changed or cut does not open', () => {
  const seal = new SecretSeal(randomBytes(32))
  const sealed = seal.seal(SECRET, 'key')
  assert.equal(read(seal, sealed, 'other'), undefined)
  const parts = sealed.split('.')
  for (const at of parts.keys()) {
    const changed = parts.map((part, index) => (index === at ? `${part.slice(1)}A` : part))
    assert.equal(read(seal, changed.join('.')), undefined, `part ${at}`)
    assert.equal(read(seal, parts.toSpliced(at, 1).join('.')), undefined, `without part ${at}`)
  }
  for (const text of ['', '1', 'secret', `${sealed.slice(0, -4)}`])
    assert.equal(read(seal, text), undefined)
})

test('a key that was replaced still opens its secrets, and one that is gone does not', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const sealed = new SecretSeal(first).seal(SECRET, 'key')
  const rotated = new SecretSeal(second, first)
  assert.equal(read(rotated, sealed), SECRET)
  const anew = rotated.seal(SECRET, 'key')
  assert.equal(read(new SecretSeal(second), anew), SECRET)
  assert.equal(read(new SecretSeal(second), sealed), undefined)
})

test('a seal prints nothing of its keys', () => {
  const key = randomBytes(32)
  const seal = new SecretSeal(key)
  const shown = inspect(seal, { depth: 10, showHidden: true }) + JSON.stringify({ seal })
  assert.ok(!shown.includes(key.toString('hex')) && !shown.includes(key.toString('base64')))
  assert.ok(!/[0-9a-f]{2} [0-9a-f]{2} [0-9a-f]{2}/.test(shown))
})
