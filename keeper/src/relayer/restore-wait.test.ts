// Log lines of a relayer that waits for a block the chain may never have.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { NodeFailed } from '@openvenue/runtime/node'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { WrittenNode } from '../../test/fake-node.ts'
import { createRestoreWait } from './restore-wait.ts'

const AWAITED = 40
const MINUTE_MS = 60_000
type Line = Readonly<{ level: string; block: number; readTo: number; chain?: number }>

describe('the wait after a restore', () => {
  let store: Store
  let node: WrittenNode
  let lines: Line[]
  let nowMs = 0
  let reported: (number | undefined)[] = []
  let mayTry: () => Promise<boolean>
  before(async () => {
    store = await openMemoryStore()
  })
  after(() => store.close())
  beforeEach(async () => {
    await setChain(undefined)
    await store.db.script(`UPDATE checkpoint SET restored_to = ${AWAITED}`)
    ;[node, lines, reported, nowMs] = [new WrittenNode(), [], [], 0]
    const log = (level: string) => (facts: object) =>
      void lines.push({ level, ...facts } as unknown as Line)
    mayTry = createRestoreWait({
      intents: store.intents,
      view: { state: { head: undefined } as never },
      node,
      clock: { nowMs: () => nowMs, delay: async () => {} },
      onAwaited: (block) => void reported.push(block),
      log: { info: log('info') as never, warn: log('warn') as never },
    })
  })

  const setChain = (number: number | undefined) =>
    store.db.script(
      `UPDATE checkpoint SET number = ${number ?? 'NULL'}, hash = '0xa', parent_hash = '0xb', seconds = 9`,
    )
  /** Asks, and lets the log line be written. */
  const ask = async () => {
    const mayGo = await mayTry()
    await setImmediate()
    return mayGo
  }

  test('the wait after a restore is logged once a minute, however often it is checked', async () => {
    node.head = AWAITED + 5
    for (let attempt = 0; attempt < 10; attempt++) assert.equal(await ask(), false)
    assert.deepEqual(lines, [{ level: 'info', block: AWAITED, readTo: -1, chain: AWAITED + 5 }])
    nowMs = MINUTE_MS
    await ask()
    assert.equal(lines.length, 2)
    assert.deepEqual(new Set(reported), new Set([AWAITED]))
  })

  test('the wait after a restore warns when the chain ends before the awaited block', async () => {
    node.head = AWAITED - 1
    await ask()
    assert.deepEqual(lines, [{ level: 'warn', block: AWAITED, readTo: -1, chain: AWAITED - 1 }])
  })

  test('the wait after a restore logs no chain head without a usable answer of the node', async () => {
    node.lies = { eth_getBlockByNumber: () => ({ result: null }) }
    await ask()
    node.batch = () => Promise.reject(new NodeFailed('away'))
    nowMs = MINUTE_MS
    await ask()
    const line = { level: 'info', block: AWAITED, readTo: -1, chain: undefined }
    assert.deepEqual(lines, [line, line])
  })

  test('the wait after a restore does not block while the node hangs', async () => {
    node.batch = () => new Promise(() => {})
    assert.equal(await ask(), false)
    assert.deepEqual([lines, reported], [[], [AWAITED]])
  })

  test('the wait after a restore ends once the awaited block is indexed', async () => {
    await setChain(AWAITED)
    assert.equal(await ask(), true)
    assert.deepEqual([lines, reported], [[], [undefined]])
  })
})
