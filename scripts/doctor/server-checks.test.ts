// The doctor's verdicts on a PostgreSQL server, of states that are made up and of a real one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readServerState, type ServerState } from '@openvenue/store/maintenance/server-state'
import { postgresEngine } from '@openvenue/store/test/engines'
import { judgeServer } from './server-checks.ts'

const GOOD: ServerState = {
  isPrimary: true,
  needsStandby: true,
  synchronousStandbys: 1,
  archive: 'working',
  connectionsLeft: 100,
  connectionsMax: 247,
  clockSeconds: 0.01,
}
const badOf = (state: Partial<ServerState>) =>
  judgeServer({ ...GOOD, ...state })
    .filter(({ isOk }) => !isOk)
    .map(({ item, text }) => `${item}: ${text}`)

test('the doctor finds nothing in a primary with a synchronous standby', () => {
  assert.deepEqual(badOf({}), [])
  assert.deepEqual(badOf({ needsStandby: false, synchronousStandbys: 0, archive: 'off' }), [])
})

test('the doctor finds a standby, a missing standby, a failing archive, few connections and a wrong clock', () => {
  for (const [state, finding] of [
    [{ isPrimary: false }, 'primary: DATABASE_URL leads to a standby'],
    [{ synchronousStandbys: 0 }, 'synchronous standby: none: commits wait for one'],
    [{ synchronousStandbys: undefined }, 'synchronous standby: not visible to this user'],
    [{ archive: 'failing' }, 'archive: the newest segment could not be archived'],
    [{ connectionsLeft: 7 }, 'connections: 7 of 247 left, expected 8 for one more process'],
    [{ clockSeconds: -6 }, 'clock of the database: 6.0 s from the clock of this machine'],
  ] as const)
    assert.deepEqual(badOf(state), [finding])
})

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('the state of a PostgreSQL server', () => {
    test('the state of a primary without standbys is read, with its connections and clock', async () => {
      const database = await postgres.createDatabase()
      const store = await database.open()
      try {
        const state = await readServerState(store.db.primary, Date.now)
        assert.deepEqual(
          [state.isPrimary, state.needsStandby, state.synchronousStandbys, state.archive],
          [true, false, 0, 'off'],
        )
        assert.ok(state.connectionsLeft > 0 && state.connectionsLeft < state.connectionsMax)
        assert.ok(Math.abs(state.clockSeconds) < 5, `${state.clockSeconds}`)
        assert.deepEqual(
          judgeServer(state).filter(({ isOk }) => !isOk),
          [],
        )
      } finally {
        await store.close()
        await database.remove()
      }
    })
  })
