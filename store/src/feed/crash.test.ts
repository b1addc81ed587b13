import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { replay } from '../../test/replay.ts'
import { tableDump } from '../maintenance/dump.ts'
import type { Store } from '../store.ts'

const seed = Number(process.env.SEED ?? 1)
const KILLS = 3
/** Equals the number in test/die.ts. */
const SCENARIO_BLOCKS = 600

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`killing the writer on ${engine.name}, seed ${seed}`, () => {
    test('killing the writer within a transaction leaves no part of it', async () => {
      const database = await engine.createSharedDatabase()
      const { blocks } = replay(randomScenario(seed, 20))
      const before = await withStore(database, async (store) => {
        await store.writer.commit(blocks, 10)
        return tableDump(store)
      })
      const child = start(database, 'midway')
      await waitForOutput(child, 'midway')
      await kill(child)
      await withStore(database, async (store) => {
        assert.equal(await tableDump(store), before)
        await store.writer.undoTo(10)
        await store.writer.commit(blocks.slice(10), 10)
        assert.equal(await tableDump(store), before)
      })
      await database.remove()
    })

    test('killing the writer between any two lines leaves whole blocks, and the next start continues', async () => {
      const database = await engine.createSharedDatabase()
      const twin = await engine.createDatabase()
      const { blocks } = replay(randomScenario(seed, SCENARIO_BLOCKS, { actionsMax: 3 }))
      const whole = await twin.open()
      let done = 0
      for (let kills = 0; kills < KILLS; kills += 1) {
        const child = start(database, 'blocks')
        await waitForOutput(child, '.'.repeat(3 + kills * 7))
        await kill(child)
        await withStore(database, async (store) => {
          const { head } = await store.writer.loadState()
          const number = head?.number ?? 0
          assert.ok(number >= done + 3 + kills * 7, 'what was answered is there')
          await whole.writer.commit(blocks.slice(done, number), number)
          done = number
          assert.equal(await tableDump(store), await tableDump(whole))
        })
      }
      await whole.close()
      await Promise.all([database.remove(), twin.remove()])
    })
  })
}

async function withStore<T>(database: TestDatabase, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await database.open()
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const start = (database: TestDatabase, mode: string) =>
  spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../test/die.ts'),
      JSON.stringify(database.options),
      mode,
      String(seed),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

async function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    if (output.includes(text)) return
  }
  assert.fail(`the process said "${text}" (${output})`)
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
