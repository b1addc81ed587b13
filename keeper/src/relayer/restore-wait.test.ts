// What a relayer says while it waits for a block that the chain may never have.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { WrittenNode } from '../../test/fake-node.ts'
import { NodeFailed } from '../node.ts'
import { createRestoreWait } from './restore-wait.ts'

const AWAITED = 40
const MINUTE_MS = 60_000
type Line = Readonly<{ level: string; block: number; readTo: number; chain?: number }>

describe('the wait after a restore', () => {
  let store: Store
  let node: WrittenNode
  let lines: Line[]
  let nowMs = 0
  let heard: (number | undefined)[] = []
  let mayTry: () => Promise<boolean>
  before(async () => {
    store = await openMemoryStore()
  })
  after(() => store.close())
  beforeEach(async () => {
    await setChain(undefined)
    await store.db.script(`UPDATE checkpoint SET restored_to = ${AWAITED}`)
    ;[node, lines, heard, nowMs] = [new WrittenNode(), [], [], 0]
    const log = (level: string) => (facts: object) =>
      void lines.push({ level, ...facts } as unknown as Line)
    mayTry = createRestoreWait({
      intents: store.intents,
      view: { state: { head: undefined } as never },
      node,
      clock: { nowMs: () => nowMs, delay: async () => {} },
      onAwaited: (block) => void heard.push(block),
      log: { info: log('info') as never, warn: log('warn') as never },
    })
  })

  const setChain = (number: number | undefined) =>
    store.db.script(
      `UPDATE checkpoint SET number = ${number ?? 'NULL'}, hash = '0xa', parent_hash = '0xb', seconds = 9`,
    )
  /** Asks, and lets what is said be said. */
  const ask = async () => {
    const mayGo = await mayTry()
    await setImmediate()
    return mayGo
  }

  test('is said once a minute, however often it is asked', async () => {
    node.head = AWAITED + 5
    for (let asked = 0; asked < 10; asked++) assert.equal(await ask(), false)
    assert.deepEqual(lines, [{ level: 'info', block: AWAITED, readTo: -1, chain: AWAITED + 5 }])
    nowMs = MINUTE_MS
    await ask()
    assert.equal(lines.length, 2)
    assert.deepEqual(new Set(heard), new Set([AWAITED]))
  })

  test('is a warning where the chain ends before the block', async () => {
    node.head = AWAITED - 1
    await ask()
    assert.deepEqual(lines, [{ level: 'warn', block: AWAITED, readTo: -1, chain: AWAITED - 1 }])
  })

  test('is said without the chain where the node is away or says nothing of use', async () => {
    node.lies = { eth_getBlockByNumber: () => ({ result: null }) }
    await ask()
    node.batch = () => Promise.reject(new NodeFailed('away'))
    nowMs = MINUTE_MS
    await ask()
    const line = { level: 'info', block: AWAITED, readTo: -1, chain: undefined }
    assert.deepEqual(lines, [line, line])
  })

  test('holds nobody up while the node hangs', async () => {
    node.batch = () => new Promise(() => {})
    assert.equal(await ask(), false)
    assert.deepEqual([lines, heard], [[], [AWAITED]])
  })

  test('is over once the block is read', async () => {
    await setChain(AWAITED)
    assert.equal(await ask(), true)
    assert.deepEqual([lines, heard], [[], [undefined]])
  })
})
