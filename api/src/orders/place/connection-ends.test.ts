import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { NO_LOG } from '@openvenue/runtime/outage'
import { Refusal } from '../../http/refusals.ts'
import { ConnectionEnds } from './connection-ends.ts'

const MANY = 25_000

/** A database that records nodes and ends, unless it is away. */
class HeardEnds {
  isAway = false
  beats = new Map<string, number>()
  readonly statements: (readonly string[])[] = []
  tries = 0
  /** Resolved before a statement of ends is answered. */
  before: Promise<unknown> = Promise.resolve()

  readonly safeguards = {
    beat: async (node: string) => {
      if (this.isAway) throw new Error('away')
      const beats = (this.beats.get(node) ?? 0) + 1
      this.beats.set(node, beats)
      return beats
    },
    endConnections: async (connections: readonly string[]) => {
      this.tries += 1
      await this.before
      if (this.isAway) throw new Error('away')
      this.statements.push(connections)
    },
  }

  get ended(): readonly string[] {
    return this.statements.flat()
  }
}

/** Waits are short, as if time ran a hundred times as quick. */
const quick = (ms: number, signal: AbortSignal) =>
  sleep(ms / 100, undefined, { signal }).catch(() => {})

/** Binds an order whose statement is under way until `commit` is called. */
function bindPending(connection: ReturnType<ConnectionEnds['open']>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { bound: connection.bind(() => promise), commit: resolve }
}

/** Runs `act` beside a node that follows its ends; then stops it. */
async function withNode(
  act: (ends: ConnectionEnds, heard: HeardEnds, stop: () => Promise<void>) => Promise<void>,
): Promise<HeardEnds> {
  const heard = new HeardEnds()
  let made = 0
  const ends = new ConnectionEnds({
    safeguards: heard.safeguards,
    delay: quick,
    log: NO_LOG,
    newNode: () => `node${++made}`,
  })
  const stopping = new AbortController()
  const following = ends.follow(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await following
  }
  await until('the node has beaten', () => heard.beats.size > 0)
  await turn()
  try {
    await act(ends, heard, stop)
  } finally {
    heard.isAway = false
    await stop()
  }
  return heard
}

const write = async (name: string) => name

describe('the ends of connections', () => {
  test('the ends of connections are written of those over which orders were made, once', async () => {
    const heard = await withNode(async (ends, heard) => {
      const [quiet, trading] = [ends.open(), ends.open()]
      assert.equal(await trading.bind(write), 'node1:2')
      assert.equal(await trading.bind(write), 'node1:2')
      for (const connection of [quiet, trading, trading]) connection.end()
      await until('the end is written', () => heard.ended.length > 0)
    })
    assert.deepEqual(heard.statements, [['node1:2']])
  })

  test(`the ends of connections are few statements where ${MANY} end at once`, async () => {
    const heard = await withNode(async (ends, heard) => {
      const all = Array.from({ length: MANY }, () => ends.open())
      for (const connection of all) await connection.bind(write)
      for (const connection of all) connection.end()
      await until('every end is written', () => heard.ended.length >= MANY)
    })
    assert.equal(new Set(heard.ended).size, MANY)
    assert.equal(heard.statements.length, 3)
  })

  test('the ends of connections are written once the database is back, a second after the other until then', async () => {
    await withNode(async (ends, heard) => {
      const connection = ends.open()
      await connection.bind(write)
      heard.isAway = true
      const startMs = performance.now()
      connection.end()
      await until('the end is tried three times', () => heard.tries >= 3)
      assert.ok(performance.now() - startMs >= 15, 'it waits between')
      heard.isAway = false
      await until('the end is written', () => heard.ended.length > 0)
      assert.deepEqual(heard.ended, ['node1:1'])
    })
  })

  test('the ends of connections are written again of an order that was committed after the end', async () => {
    await withNode(async (ends, heard) => {
      const connection = ends.open()
      const { bound, commit } = bindPending(connection)
      connection.end()
      await until('the end is written', () => heard.statements.length === 1)
      // Also while the first is still under way.
      commit()
      await bound
      await until('the end is written again', () => heard.statements.length === 2)
      assert.deepEqual(heard.ended, ['node1:1', 'node1:1'])
    })
  })

  test('the ends of connections added while an earlier one is being written are not lost', async () => {
    await withNode(async (ends, heard) => {
      const connection = ends.open()
      let answer = () => {}
      heard.before = new Promise<void>((resolve) => {
        answer = resolve
      })
      const { bound, commit } = bindPending(connection)
      connection.end()
      await until('the end is being written', () => heard.tries === 1)
      commit()
      await bound
      answer()
      await until('the end is written again', () => heard.statements.length === 2)
    })
  })

  test('the ends of connections are written before the process goes, or the node is silent', async () => {
    const heard = await withNode(async (ends, _heard, stop) => {
      const connection = ends.open()
      await connection.bind(write)
      connection.end()
      await stop()
    })
    assert.deepEqual(heard.ended, ['node1:1'])
    await withNode(async (ends, away, stop) => {
      const connection = ends.open()
      await connection.bind(write)
      away.isAway = true
      connection.end()
      await stop()
      assert.deepEqual(away.ended, [])
      assert.ok(away.tries >= 3 && away.tries < 20, `${away.tries}`)
    })
  })
})

describe('a node', () => {
  test('a node accepts no order that ends with its connection before the database knows the node', async () => {
    const heard = new HeardEnds()
    heard.isAway = true
    const ends = new ConnectionEnds({
      safeguards: heard.safeguards,
      delay: quick,
      log: NO_LOG,
    })
    const stopping = new AbortController()
    const following = ends.follow(stopping.signal)
    const bound = ends.open().bind(write)
    await assert.rejects(
      bound,
      (error) => error instanceof Refusal && error.code === 'HISTORY_UNAVAILABLE',
    )
    stopping.abort()
    await following
  })

  test('a node that was taken for dead goes on under another name', async () => {
    await withNode(async (ends, heard) => {
      const connection = ends.open()
      assert.equal(await connection.bind(write), 'node1:1')
      heard.beats.delete('node1')
      await until('the node has beaten as node2', () => heard.beats.has('node2'))
      await turn()
      assert.equal(await connection.bind(write), 'node2:1')
      connection.end()
      await until('the end is written', () => heard.ended.length > 0)
      assert.deepEqual(heard.ended.toSorted(), ['node1:1', 'node2:1'])
    })
  })
})
