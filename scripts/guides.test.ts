// The guides for operators name commands, units and settings that exist, and the settings that they
// give to PostgreSQL and Redis are known to those servers.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { SETTING_NAMES } from '@openvenue/runtime/settings'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const machines = read('docs/MACHINES.md')
const folder = mkdtempSync(join(tmpdir(), 'guides-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the lines that the guide writes into the file at `path` on a machine. */
function written(path: string): readonly string[] {
  const [, rest = ''] = machines.split(`tee -a ${path} <<'END'\n`)
  const [lines = ''] = rest.split('\nEND\n')
  return lines.split('\n').filter((line) => line !== '')
}

describe('the guides of operators', () => {
  for (const guide of ['OPERATING', 'MACHINES', 'HIGH-AVAILABILITY', 'RUNBOOK', 'UPGRADE']) {
    const text = read(`docs/${guide}.md`)

    test(`${guide} names only npm commands that exist`, () => {
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
      const named = new Set([...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name))
      // The build of the terminal is a command of its package.
      const unknown = [...named].filter((name) => !(name in scripts) && name !== 'build')
      assert.deepEqual(unknown, [])
    })

    test(`${guide} names only units of systemd that exist`, () => {
      const units = globSync('ops/systemd/*.service', { cwd: ROOT }).map((path) => basename(path))
      const named = text.match(/\bopenvenue-(?!testnet|mainnet)[a-z]+(?:@\d+)?(?=[\s`;)])/g) ?? []
      const unknown = named.filter(
        (name) => !units.includes(`${name.replace(/@\d+$/, '@')}.service`),
      )
      assert.deepEqual(unknown, [])
    })

    test(`${guide} sets only variables that a service reads`, () => {
      const set = [...text.matchAll(/^(?:export )?([A-Z]\w*_\w+)=/gm)].map(([, name = '']) => name)
      assert.deepEqual(
        set.filter((name) => !SETTING_NAMES.has(name)),
        [],
      )
    })
  }

  test('the guide gives PostgreSQL settings that the server knows', (context) => {
    const lines = written('/etc/postgresql/15/main/conf.d/openvenue.conf')
    assert.ok(lines.length >= 3)
    const server = globSync('/usr/lib/postgresql/*/bin/postgres').at(-1)
    if (server === undefined) return context.skip('no PostgreSQL of Debian is installed')
    const path = join(folder, 'postgresql.conf')
    const files = ['data_directory', 'hba_file', 'ident_file'].map(
      (name) => `${name} = '${folder}'`,
    )
    writeFileSync(path, `${[...files, ...lines].join('\n')}\n`)
    // It reads the whole file, prints one setting and starts nothing.
    const args = ['-C', 'max_connections', `--config-file=${path}`]
    const { stdout, stderr } = spawnSync(server, args, { encoding: 'utf8' })
    assert.doesNotMatch(stderr, /unrecognized|invalid|syntax/)
    assert.equal(stdout.trim(), '250')
  })

  test('the guide gives Redis settings that the server knows', (context) => {
    const lines = written('/etc/redis/redis.conf')
    assert.ok(lines.length >= 3)
    if (!existsSync('/usr/bin/redis-server')) return context.skip('no Redis of Debian is installed')
    const path = join(folder, 'redis.conf')
    // An unknown line ends the start; a start is avoided by a last line that is wrong.
    writeFileSync(path, `${lines.join('\n')}\nport never\n`)
    const { stderr } = spawnSync('/usr/bin/redis-server', [path], { encoding: 'utf8' })
    assert.match(stderr, /at line \d+\n>>> 'port never'/)
  })
})
