import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { checkConfig } from './check-config.ts'
import { type Environment, readPort } from './environment.ts'
import { readSettings } from './settings-file.ts'

const SECRET = `0x${'5e'.repeat(32)}`
const folder = mkdtempSync(join(tmpdir(), 'settings-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function write(text: string, mode = 0o644): string {
  const path = join(folder, 'openvenue.env')
  rmSync(path, { force: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** Returns the lines of the refusal, which must not contain the secret. */
function refusal(env: Environment): readonly string[] {
  try {
    readSettings(env)
  } catch (error) {
    const { name, message, stack } = error as Error
    assert.equal(name, 'ConfigInvalid')
    assert.ok(!`${message}${stack}`.includes(SECRET))
    return message.split('\n')
  }
  return assert.fail('the file is accepted')
}

describe('the settings file', () => {
  test('the settings file gives each variable that the environment does not set', () => {
    const path = write('# ports\nPORT=4000\n\nHOST = "::"\nLOG_LEVEL=\'warn\'\n')
    const { PORT, HOST, LOG_LEVEL } = readSettings({ OPENVENUE_CONFIG: path, PORT: '5000' })
    assert.deepEqual([PORT, HOST, LOG_LEVEL], ['5000', '::', 'warn'])
  })

  test('an empty variable restores the default of a setting in the file', () => {
    const path = write('PORT=4000\n')
    assert.equal(readPort(readSettings({ OPENVENUE_CONFIG: path, PORT: '' }), 'PORT', 3000), 3000)
  })

  test('an environment without a settings file stays the same object', () => {
    const env = { PORT: '4000' }
    assert.equal(readSettings(env), env)
  })

  test('an unknown name is refused with its line and the nearest known name', () => {
    const path = write('PORT=4000\n\nKEEPER_PRICE=off\nNODE_OPTIONS=--inspect\nport=1\n')
    assert.deepEqual(refusal({ OPENVENUE_CONFIG: path }), [
      `KEEPER_PRICE is unknown: got it in line 3 of ${path}, expected a setting such as KEEPER_PRICES`,
      `NODE_OPTIONS is unknown: got it in line 4 of ${path}, expected a setting of docs/OPERATING.md`,
      `port is unknown: got it in line 5 of ${path}, expected a setting such as PORT`,
    ])
  })

  test('a line that is not a setting is refused without its text', () => {
    const path = write(`${SECRET}\nexport PORT=1\nHOST=a # b\nHOST="a\nSEED=1\nSEED=2\n`)
    assert.deepEqual(
      refusal({ OPENVENUE_CONFIG: path }).map((line) => line.replace(path, 'FILE')),
      [
        ...[1, 2, 3, 4].map(
          (number) =>
            `FILE is invalid in line ${number}: expected NAME=value, and comments on lines of their own`,
        ),
        'SEED is set twice: got it again in line 6 of FILE, expected it once',
      ],
    )
  })

  test('secrets come from files that the settings file names', () => {
    const secret = join(folder, 'keeper_key')
    writeFileSync(secret, `${SECRET}\n`, { mode: 0o400 })
    const path = write(`KEEPER_KEY_FILE=${secret}\n`)
    assert.equal(readSettings({ OPENVENUE_CONFIG: path }).KEEPER_KEY, SECRET)
    assert.equal(readSettings({ OPENVENUE_CONFIG: path, KEEPER_KEY: '0x1' }).KEEPER_KEY, '0x1')
  })

  test('a secret in a settings file that others can read is refused', () => {
    const path = write(`KEEPER_KEY=${SECRET}\n`)
    assert.deepEqual(refusal({ OPENVENUE_CONFIG: path }), [
      `KEEPER_KEY is in a file that others can read: expected KEEPER_KEY_FILE, or chmod o-rwx ${path}`,
    ])
    chmodSync(path, 0o600)
    assert.equal(readSettings({ OPENVENUE_CONFIG: path }).KEEPER_KEY, SECRET)
  })

  test('a settings file that cannot be read is named', () => {
    for (const path of [join(folder, 'absent'), folder])
      assert.match(
        refusal({ OPENVENUE_CONFIG: path })[0] ?? '',
        /^OPENVENUE_CONFIG is unreadable: /,
      )
  })

  test('the check of settings lists faults of the settings file with those of its values', () => {
    const path = write('PORT=http\nPOORT=1\n')
    const parse = (env: Environment) => readPort(readSettings(env), 'PORT', 3000)
    assert.throws(() => checkConfig(parse, { OPENVENUE_CONFIG: path }), {
      name: 'ConfigInvalid',
      message:
        `POORT is unknown: got it in line 2 of ${path}, expected a setting such as PORT\n` +
        'PORT is invalid: got "http", expected a whole number up to 65535',
    })
    const env = { OPENVENUE_CONFIG: write('PORT=1\n') }
    assert.equal(checkConfig(parse, env), 'ok\n')
  })
})
