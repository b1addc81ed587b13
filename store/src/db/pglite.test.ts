import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeEmptyDatabase } from '../../test/memory-store.ts'
import { openPglite } from './pglite.ts'

test('a data directory has one process at a time, and the claim of a dead one is replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openvenue-pglite-'))
  const dataDir = join(folder, 'db')
  const mark = `${dataDir}.pid`
  await writeEmptyDatabase(dataDir)

  writeFileSync(mark, `${process.ppid}\n`)
  await assert.rejects(openPglite(dataDir), /a data directory is open once/)

  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(mark, `${pid}\n`)
  const db = await openPglite(dataDir)
  await assert.rejects(openPglite(dataDir), /a data directory is open once/)
  await db.ping()
  await db.close()
  assert.ok(!existsSync(mark))

  const again = await openPglite(dataDir)
  await again.close()
  await rm(folder, { recursive: true })
})
