// Secrets in files: whoever starts a service keeps its keys out of the environment.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SECRETS, withSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = `0x${'5e'.repeat(32)}`

function file(name: string, text: string, mode = 0o400): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** Returns the message of what is refused, which must not hold the secret. */
function refusal(env: Record<string, string>): string {
  try {
    withSecretFiles(env)
  } catch (error) {
    const { name, message, stack } = error as Error
    assert.equal(name, 'ConfigInvalid')
    assert.ok(!`${message}${stack}`.includes(SECRET))
    return message
  }
  throw new assert.AssertionError({ message: 'it is refused' })
}

test('every secret is read from the file that its variable names, without its line end', () => {
  const path = file('any', `${SECRET}\n`)
  for (const name of SECRETS)
    assert.equal(withSecretFiles({ [`${name}_FILE`]: path })[name], SECRET)
})

test('a variable for which no file is named stays as it is', () => {
  const env = { KEEPER_KEY: SECRET, DATABASE_URL_FILE: '', HOST: '::' }
  assert.deepEqual(withSecretFiles(env), env)
})

test('a secret file may be readable by its group, as services of one group need', () => {
  const path = file('group', SECRET, 0o440)
  assert.equal(withSecretFiles({ KEEPER_KEY_FILE: path }).KEEPER_KEY, SECRET)
})

for (const mode of [0o404, 0o444, 0o644, 0o402])
  test(`a secret file of mode ${mode.toString(8)} is refused: others have access`, () => {
    const path = file(`open-${mode}`, SECRET, mode)
    assert.match(refusal({ KEEPER_KEY_FILE: path }), /^KEEPER_KEY_FILE .*others.*chmod o-rwx/)
  })

test('setting both a secret and its file is refused as ambiguous', () => {
  const path = file('both', SECRET)
  const env = { RELAY_KEYS: SECRET, RELAY_KEYS_FILE: path }
  assert.match(refusal(env), /^RELAY_KEYS and RELAY_KEYS_FILE are both set/)
})

test('a secret file that is absent, empty, too long or a folder is named in the error', () => {
  const wrong = [
    [join(folder, 'absent'), /ENOENT/],
    [file('empty', '\n'), /is empty/],
    [file('long', SECRET.repeat(1_000)), /is not/],
    [folder, /is not/],
  ] as const
  for (const [path, words] of wrong) {
    const message = refusal({ RELAY_RECEIPT_KEY_FILE: path })
    assert.match(message, words)
    assert.ok(message.startsWith('RELAY_RECEIPT_KEY_FILE ') && message.includes(path))
  }
})
