// The operator's command that makes invite codes, as an operator runs it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { databaseDir } from '@openvenue/store/db/pglite'
import { openStore } from '@openvenue/store/open'

const SCRIPT = join(import.meta.dirname, 'invites.ts')

/** Runs the command with only what it is given of the environment. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [SCRIPT, ...args], { env: { PATH, ...env } })
  const [out, error]: [string[], string[]] = [[], []]
  child.stdout.on('data', (text) => out.push(String(text)))
  child.stderr.on('data', (text) => error.push(String(text)))
  const [status] = await once(child, 'close')
  return { status, out: out.join(''), error: error.join('') }
}

describe('npm run invites', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openvenue-invites-'))
    await (await openStore({ dataDir: databaseDir(folder) })).close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('invites create 3 prints three codes and stores their hashes as unused', async () => {
    const { status, out, error } = await run(['create', '3'], { DATA_DIR: folder })
    assert.equal(status, 0, error)
    const codes = out.trim().split('\n')
    assert.equal(new Set(codes).size, 3)
    const store = await openStore({ dataDir: databaseDir(folder) })
    const rows = await store.db.primary.query('SELECT hash, used_ms FROM invites ORDER BY hash')
    await store.close()
    assert.deepEqual(rows, codes.map((code) => [hash('sha256', code), null]).sort())
  })

  test('invites explains what to do while a running venue has the embedded database', async () => {
    const store = await openStore({ dataDir: databaseDir(folder) })
    const { status, out, error } = await run(['create', '1'], { DATA_DIR: folder })
    await store.close()
    assert.deepEqual([status, out], [1, ''])
    assert.match(error, /is open in process \d+.*\n.*stop it, run this command again, start it/)
  })

  test('invites creates no database', async () => {
    const { status, error } = await run(['create', '1'], { DATA_DIR: join(folder, 'elsewhere') })
    assert.equal(status, 1)
    assert.match(error, /holds no database/)
  })

  for (const args of [
    [],
    ['create'],
    ['create', '0'],
    ['create', '1001'],
    ['create', '2', '3'],
    ['list'],
  ])
    test(`invites prints its usage for the arguments ${args.join(' ') || '(none)'}`, async () => {
      const { status, error } = await run(args, { DATA_DIR: folder })
      assert.equal(status, 1)
      assert.match(error, /^usage: npm run invites -- create/)
    })
})
