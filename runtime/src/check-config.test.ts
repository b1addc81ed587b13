import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { checkConfig, readOptions } from './check-config.ts'
import { ConfigInvalid, type Environment, readInteger, readPort, readUrl } from './environment.ts'
import { withSecretFiles } from './secret-files.ts'

const SECRET = 'hunter2hunter2'
const folder = mkdtempSync(join(tmpdir(), 'check-config-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function parse(given: Environment) {
  const env = withSecretFiles(given)
  const port = readPort(env, 'PORT', 3000)
  if (readUrl(env, 'DATABASE_URL', ['postgres:']) === undefined)
    throw new ConfigInvalid('DATABASE_URL is missing: expected a URL')
  return { port, lag: readInteger(env, 'INDEXER_LAG_MAX', { absent: 20 }) }
}

/** Returns the lines of the refusal, which must not contain the secret. */
function faults(env: Environment): readonly string[] {
  try {
    checkConfig(parse, env)
  } catch (error) {
    const { name, message } = error as Error
    assert.equal(name, 'ConfigInvalid')
    assert.ok(!message.includes(SECRET))
    return message.split('\n')
  }
  return assert.fail('the settings are accepted')
}

describe('the check of settings', () => {
  test('the check of settings answers ok when every value is valid', () => {
    assert.equal(checkConfig(parse, { DATABASE_URL: 'postgres://127.0.0.1/venue' }), 'ok\n')
  })

  test('the check of settings lists every wrong value, with the rule of each', () => {
    assert.deepEqual(faults({ PORT: 'http', DATABASE_URL: '', INDEXER_LAG_MAX: '-1' }), [
      'PORT is invalid: got "http", expected a whole number up to 65535',
      'DATABASE_URL is missing: expected a URL',
      'INDEXER_LAG_MAX is invalid: got "-1", expected a whole number',
    ])
  })

  test('the check of settings never shows the value of a secret', () => {
    assert.deepEqual(faults({ DATABASE_URL: `mysql://user:${SECRET}@host`, PORT: '-1' }), [
      'PORT is invalid: got "-1", expected a whole number up to 65535',
      'DATABASE_URL is invalid: expected a URL of postgres:',
    ])
  })

  test('the check of settings goes on after a secret whose file is unusable', () => {
    const path = join(folder, 'database_url')
    writeFileSync(path, `postgres://user:${SECRET}@host/venue`, { mode: 0o644 })
    const [file, lag, ...others] = faults({ DATABASE_URL_FILE: path, INDEXER_LAG_MAX: 'x' })
    assert.match(file ?? '', /^DATABASE_URL_FILE is .*chmod o-rwx/)
    assert.match(lag ?? '', /^INDEXER_LAG_MAX is invalid: got "x"/)
    assert.deepEqual(others, [])
    const [both, ...more] = faults({ DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://x' })
    assert.match(both ?? '', /^DATABASE_URL and DATABASE_URL_FILE are both set/)
    assert.deepEqual(more, [])
  })

  test('the check of settings throws an error that is not about settings', () => {
    const broken = () => {
      throw new TypeError('a flaw of the program')
    }
    assert.throws(() => checkConfig(broken, {}), TypeError)
  })
})

describe('the options of a service', () => {
  test('a service starts without options, and checks its settings with --check-config', () => {
    const env = { PORT: '1' }
    assert.deepEqual(readOptions([], env), { isCheck: false, env })
    assert.deepEqual(readOptions(['--check-config'], env), { isCheck: true, env })
  })

  test('--config names the settings file, in place of OPENVENUE_CONFIG', () => {
    const env = { OPENVENUE_CONFIG: '/a' }
    for (const args of [['--config', '/b'], ['--config=/b']])
      assert.deepEqual(readOptions(args, env).env, { OPENVENUE_CONFIG: '/b' })
  })

  for (const [args, word] of [
    [['--chek-config'], '--chek-config'],
    [['start'], 'start'],
    [['--check-config', 'now'], 'now'],
    [['--config'], '--config'],
    [['--config='], '--config='],
    [['--check-config=no'], '--check-config=no'],
  ] as const)
    test(`a service refuses the options ${args.join(' ')}`, () => {
      const message = new RegExp(` options?: got .*${word}, expected --check-config, --config`)
      assert.throws(() => readOptions(args, {}), { name: 'ConfigInvalid', message })
    })
})
