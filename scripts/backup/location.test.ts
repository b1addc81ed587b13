// Backing up and restoring, as an operator runs them, by the files of secrets that services have.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { postgresEngine } from '@openvenue/store/test/engines'

const folder = mkdtempSync(join(tmpdir(), 'openvenue-kept-'))
after(() => rmSync(folder, { recursive: true }))
const out = join(folder, 'venue.backup')

const COMMANDS = [
  ['backup', '--out', out],
  ['restore', '--in', out],
] as const

/** Runs the command with only what it is given of the environment. */
async function run([name, ...args]: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  const script = join(import.meta.dirname, '..', `${name}.ts`)
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env: { PATH, ...env } })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => said.push(String(text)))
  const [status] = await once(child, 'close')
  return { status, said: said.join('') }
}

function writeSecret(name: string, secret: string, mode = 0o600): string {
  const path = join(folder, name)
  writeFileSync(path, secret, { mode })
  return path
}

describe('the database of a backup', () => {
  for (const command of COMMANDS)
    test(`${command[0]} reads the database from DATABASE_URL_FILE, and refuses a file that others can read`, async () => {
      const away = writeSecret('away', 'postgres://127.0.0.1:1/venue')
      const { status, said } = await run(command, { DATABASE_URL_FILE: away })
      assert.equal(status, 1)
      assert.match(said, /ECONNREFUSED/)
      const open = writeSecret('open', 'postgres://127.0.0.1:1/venue', 0o644)
      const refused = await run(command, { DATABASE_URL_FILE: open })
      assert.equal(refused.status, 1)
      assert.match(refused.said, /^DATABASE_URL_FILE is a file .* unreadable to others/)
    })

  const postgres = postgresEngine(process.env.DATABASE_URL)
  if (postgres !== undefined)
    test('a restore copies a backed-up database into another one', async () => {
      const [source, other] = [await postgres.createDatabase(), await postgres.createBareDatabase()]
      try {
        const store = await source.open()
        await store.identity.addInvites(['ab'.repeat(32)], 7)
        await store.close()
        const urls = [source, other].map(({ options }) => options.databaseUrl ?? '')
        for (const [index, command] of COMMANDS.entries()) {
          const DATABASE_URL_FILE = writeSecret(`url-${index}`, urls[index] ?? '')
          const { status, said } = await run(command, { DATABASE_URL_FILE })
          assert.equal(status, 0, said)
        }
        const restored = await other.open()
        const rows = await restored.db.primary.query('SELECT hash FROM invites')
        await restored.close()
        assert.deepEqual(rows, [['ab'.repeat(32)]])
      } finally {
        for (const database of [source, other]) await database.remove()
      }
    })
})
