// `--check-config` of each service, as an operator runs it before a start.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { chainIdOf, databaseLocation } from './backup/location.ts'
import { examine } from './doctor/examine.ts'

const ROOT = join(import.meta.dirname, '..')
const KEY = `0x${'1f'.repeat(32)}`
/** Nothing listens there, so that a service which opened it would fail. */
const DATABASE_URL = 'postgres://user:hunter2@127.0.0.1:1/venue'
const NEEDED = { DATABASE_URL, KEEPER_KEY: KEY, KEEPER_PRICE_URL: 'http://127.0.0.1:1' }

const MAINS = {
  api: 'api/src/node/main.ts',
  integrated: 'api/src/integrated/main.ts',
  indexer: 'indexer/src/main.ts',
  keeper: 'keeper/src/main.ts',
} as const

type Service = keyof typeof MAINS

const CHECK = '--check-config'

function run(
  service: Service,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAINS[service], ...options], {
    cwd: ROOT,
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
    encoding: 'utf8',
  })
  return { status, stdout, lines: stderr.split('\n').filter((line) => line !== '') }
}

/** Wrong values of each service and their lines; rules that depend on wrong values have none. */
const WRONG: Readonly<Record<Service, readonly [Readonly<Record<string, string>>, RegExp[]]>> = {
  api: [
    { PORT: 'http', RELAY_RECEIPT_KEY: `${KEY}00`, WS_PING_S: '0' },
    [/^PORT is invalid: got "http"/, /^RELAY_RECEIPT_KEY is invalid: exp/, /^WS_PING_S is .*"0"/],
  ],
  integrated: [
    { DATABASE_URL: '', INTEGRATED_PORT: '65536' },
    [/^DATABASE_URL is not set: expected/, /^INTEGRATED_PORT is invalid: got "65536"/],
  ],
  indexer: [
    { RPC_URL: 'localhost', RPC_WS_URL: 'wss://a.example,wss://b.example', FINALITY_BLOCKS: '-2' },
    [/^RPC_URL is invalid: expected/, /^FINALITY_BLOCKS is invalid: got "-2"/],
  ],
  keeper: [
    { KEEPER_KEY: `${KEY}00`, KEEPER_PRICES: 'yes', KEEPER_PRICE_URL: '', LOG_LEVEL: 'loud' },
    [/^KEEPER_PRICES is .*"yes"/, /^KEEPER_KEY is invalid: exp/, /^LOG_LEVEL is invalid: got/],
  ],
}

describe('--check-config', () => {
  for (const [service, [wrong, expected]] of Object.entries(WRONG) as [
    Service,
    (typeof WRONG)[Service],
  ][]) {
    test(`--check-config of ${service} prints ok for valid settings and opens nothing`, () => {
      assert.deepEqual(run(service, NEEDED, CHECK), { status: 0, stdout: 'ok\n', lines: [] })
    })

    test(`--check-config of ${service} prints every wrong setting and exits with 1`, () => {
      const { status, stdout, lines } = run(service, { ...NEEDED, ...wrong }, CHECK)
      assert.deepEqual([status, stdout], [1, ''])
      assert.equal(lines.length, expected.length, lines.join('\n'))
      for (const rule of expected)
        assert.ok(
          lines.some((line) => rule.test(line)),
          `${rule}`,
        )
      assert.ok(!lines.some((line) => /1f1f|hunter2/.test(line)))
    })

    test(`${service} refuses an option that it does not know`, () => {
      const { status, lines } = run(service, NEEDED, '--chek-config')
      assert.equal(status, 1)
      assert.deepEqual(lines, [
        'unknown option: got --chek-config, expected --check-config, --config <file>, or none',
      ])
    })
  }
})

describe('--config', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (text: string) => {
    const path = join(folder, 'openvenue.env')
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const lines = Object.entries(NEEDED).map(([name, value]) => `${name}=${value}\n`)

  for (const service of Object.keys(MAINS) as Service[]) {
    test(`--config gives ${service} its settings`, () => {
      const path = write(lines.join(''))
      const expected = { status: 0, stdout: 'ok\n', lines: [] }
      assert.deepEqual(run(service, {}, '--config', path, CHECK), expected)
      assert.deepEqual(run(service, { OPENVENUE_CONFIG: path }, CHECK), expected)
    })

    test(`${service} does not start with an unknown name in its settings file`, () => {
      const path = write(`${lines.join('')}LOG_LEVL=warn\n`)
      const place = `line ${lines.length + 1} of ${path}`
      const fault = `LOG_LEVL is unknown: got it in ${place}, expected a setting such as LOG_LEVEL`
      assert.deepEqual(run(service, {}, '--config', path), {
        status: 1,
        stdout: '',
        lines: [fault],
      })
    })
  }

  test('backups, invites and the doctor read the settings file', async () => {
    const env = { OPENVENUE_CONFIG: write(`${lines.join('')}CHAIN_ID=7\nRPC_URL=nowhere\n`) }
    assert.deepEqual(databaseLocation(env), { databaseUrl: DATABASE_URL })
    assert.equal(chainIdOf(env), 7)
    const [{ text } = { text: '' }] = await examine(env)
    assert.match(text, /^RPC_URL is invalid: expected a URL/)
  })
})
