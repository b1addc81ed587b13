// The templates of ops/ha are complete: each setting is used, and each name has a setting.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { fillIn, machineSettings } from './settings.ts'

const FILES = ['patroni.yml', 'etcd.env', 'haproxy.cfg'] as const
const SECRETS = ['SUPERUSER_PASSWORD', 'REPLICATION_PASSWORD', 'REST_PASSWORD']
const own = Object.fromEntries(SECRETS.map((name) => [name, 'secret']))

test('the templates of a machine use every setting of machine.env, and name no other', () => {
  const names = FILES.flatMap((file) =>
    [...readFileSync(`ops/ha/${file}`, 'utf8').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name),
  )
  const settings = Object.keys(machineSettings({}))
  assert.deepEqual([...new Set(names)].sort(), settings.sort())
})

test('the filled templates are valid, and lose no answered commit', () => {
  const settings = machineSettings(own)
  const { bootstrap, postgresql, watchdog } = parse(fillIn('patroni.yml', settings))
  const { dcs } = bootstrap
  assert.deepEqual([dcs.synchronous_mode, dcs.synchronous_mode_strict], [true, true])
  assert.ok(dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl)
  assert.ok(dcs.ttl - watchdog.safety_margin >= dcs.loop_wait)
  assert.equal(watchdog.mode, 'required')
  assert.equal(postgresql.listen, '10.0.0.1:5432')
  assert.equal(postgresql.parameters.archive_command, settings.ARCHIVE_COMMAND)
  assert.equal(parseEnv(fillIn('etcd.env', settings)).ETCD_ENABLE_V2, 'true')
  assert.match(fillIn('haproxy.cfg', settings), /bind 127\.0\.0\.1:5000\n/)
})

test('a setting without a value, or of an unknown name, is refused', () => {
  assert.throws(() => fillIn('patroni.yml', machineSettings({})), /REST_PASSWORD of patroni\.yml/)
  assert.throws(() => machineSettings({ TTL: '10' }), /TTL is not a setting/)
})
