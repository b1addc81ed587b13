import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { readProcessStart } from './process-start.ts'
import { claimDataDir, findVenue } from './running-file.ts'

const URLS = {
  apiUrl: 'http://127.0.0.1:1',
  integratedUrl: 'http://127.0.0.1:2',
  indexerUrl: 'http://127.0.0.1:3',
  keeperUrl: 'http://127.0.0.1:4',
  rpcUrl: 'http://127.0.0.1:5',
  domainName: 'openvenue',
}
const NOW_MS = Date.UTC(2026, 0, 2)

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'openvenue-running-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const path = () => join(dataDir, 'running.json')
const change = (fields: object) =>
  writeFileSync(path(), JSON.stringify({ ...JSON.parse(readFileSync(path(), 'utf8')), ...fields }))

test('a running venue is found by its directory from when it is ready until it stops', () => {
  assert.throws(() => findVenue(dataDir), /^Error: no venue runs in .*openvenue-running-\w+: start/)
  const claim = claimDataDir(dataDir, NOW_MS)
  assert.throws(() => findVenue(dataDir), /is starting \(process \d+\): try again/)
  claim.publish({ apiUrl: URLS.apiUrl })
  assert.throws(() => findVenue(dataDir), /is starting/)
  claim.publishReady(URLS)
  for (const [name, value] of Object.entries(URLS))
    assert.equal(findVenue(dataDir)[name as keyof typeof URLS], value)
  claim.release()
  assert.throws(() => findVenue(dataDir), /no venue runs/)
  assert.deepEqual(readdirSync(dataDir), [])
})

test('a second claim of a directory names the running venue, and leaves its file unchanged', () => {
  claimDataDir(dataDir, NOW_MS).publishReady(URLS)
  assert.throws(
    () => claimDataDir(dataDir, NOW_MS),
    (error) =>
      error instanceof ConfigInvalid &&
      error.message.includes(
        `already (http://127.0.0.1:1, process ${process.pid}, since 2026-01-02T00:00:00.000Z)`,
      ),
  )
  assert.equal(findVenue(dataDir).apiUrl, URLS.apiUrl)
  assert.deepEqual(readdirSync(dataDir), ['running.json'])
})

test('the running file of a dead process is ignored and replaced', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  claimDataDir(dataDir, NOW_MS).publishReady(URLS)
  change({ pid: child.pid })
  assert.throws(() => findVenue(dataDir), /no venue runs/)
  claimDataDir(dataDir, NOW_MS).publishReady({ ...URLS, apiUrl: 'http://127.0.0.1:9' })
  assert.equal(findVenue(dataDir).apiUrl, 'http://127.0.0.1:9')
  assert.deepEqual(readdirSync(dataDir), ['running.json'])
})

test('the running file of a process whose id was reused is ignored and replaced', () => {
  claimDataDir(dataDir, NOW_MS).publishReady(URLS)
  change({ processStart: 'another life' })
  assert.throws(() => findVenue(dataDir), /no venue runs/)
  const claim = claimDataDir(dataDir, NOW_MS)
  claim.publishReady(URLS)
  assert.equal(findVenue(dataDir).apiUrl, URLS.apiUrl)
})

for (const text of ['', '{', 'null', '{"pid":"x"}'])
  test(`an invalid running file (${text}) is replaced`, () => {
    writeFileSync(path(), text)
    assert.throws(() => findVenue(dataDir), /no venue runs/)
    claimDataDir(dataDir, NOW_MS).publishReady(URLS)
    assert.equal(findVenue(dataDir).apiUrl, URLS.apiUrl)
  })

test('a claim that was replaced does not remove the running file of its successor', () => {
  const killed = claimDataDir(dataDir, NOW_MS)
  change({ processStart: 'another life' })
  const text = readFileSync(path(), 'utf8')
  killed.release()
  assert.equal(readFileSync(path(), 'utf8'), text)
})

const CLAIMER = `
  const { claimDataDir } = await import(process.argv[1])
  try {
    claimDataDir(process.argv[2], Date.now())
    process.stdout.write('mine')
    process.stdin.resume()
  } catch (error) {
    process.stdout.write(error.name)
  }
`

test('only one of several concurrent claims gets the data directory', async () => {
  const module = fileURLToPath(new URL('./running-file.ts', import.meta.url))
  writeFileSync(path(), JSON.stringify({ pid: process.pid, processStart: 'another life' }))
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', CLAIMER, module, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const texts = await Promise.all(
    children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])),
  )
  for (const { stdin } of children) stdin.end()
  assert.deepEqual(texts.toSorted(), ['ConfigInvalid', 'ConfigInvalid', 'ConfigInvalid', 'mine'])
})

test('a process has a start time while it runs, and none when it is gone', async () => {
  const start = readProcessStart(process.pid)
  assert.ok(start !== undefined && start.length > 0)
  assert.equal(readProcessStart(process.pid), start)
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  await once(child, 'spawn')
  assert.notEqual(readProcessStart(child.pid ?? 0), undefined)
  child.kill()
  await once(child, 'exit')
  assert.equal(readProcessStart(child.pid ?? 0), undefined)
})
