// A folder is claimed by one process at a time.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { claimFolder, FolderTaken } from './durable-file.ts'

const ROUNDS = '400'
/** Time for both processes to start. */
const START_MS = 2_000
const folder = mkdtempSync(join(tmpdir(), 'openvenue-claim-'))
after(() => rmSync(folder, { recursive: true }))

test('two processes that start at the same time never both claim a folder', async () => {
  const script = join(import.meta.dirname, '..', '..', 'test', 'claim-rounds.ts')
  const args = [script, join(folder, 'rounds'), ROUNDS, String(Date.now() + START_MS)]
  const both = [0, 1].map(() => spawn(process.execPath, args))
  try {
    const [first = [], second = []] = await Promise.all(both.map(readClaims))
    assert.deepEqual(
      first.filter((round) => second.includes(round)),
      [],
    )
    assert.notEqual(first.length + second.length, 0)
  } finally {
    await Promise.all(both.map(end))
  }
})

async function readClaims({ stdout }: ChildProcessWithoutNullStreams): Promise<readonly number[]> {
  let text = ''
  for await (const chunk of stdout) {
    text += String(chunk)
    if (text.endsWith(']')) return JSON.parse(text)
  }
  return assert.fail(`it ended after ${text}`)
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : undefined
  child.stdin.end()
  await ended
}

test('a claim of a dead process no longer counts, and is released once', () => {
  const claimDir = join(folder, 'claim')
  mkdirSync(claimDir)
  const child = spawn(process.execPath, ['-e', ''])
  const name = `claim-${child.pid}.pid`
  writeFileSync(join(claimDir, name), '')
  assert.throws(
    () => claimFolder(claimDir),
    new FolderTaken(`${claimDir} is in use by process ${child.pid}`),
  )
  return once(child, 'exit').then(() => {
    const release = claimFolder(claimDir)
    assert.deepEqual(readdirSync(claimDir), [`claim-${process.pid}.pid`])
    release()
    assert.deepEqual(readdirSync(claimDir), [])
  })
})
