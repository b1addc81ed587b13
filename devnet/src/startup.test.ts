import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProgressLine } from './progress-line.ts'
import { StartStopped, Startup } from './startup.ts'

test('the start of a devnet reports its current work and progress', () => {
  const startup = new Startup()
  assert.equal(startup.awaiting, 'loading the programs')
  startup.begin('making the past')
  assert.equal(startup.awaiting, 'making the past')
  startup.advance({ done: 2.4999, of: 4, unit: 'hours' })
  assert.equal(startup.awaiting, 'making the past, 2.4 of 4 hours')
  startup.advance({ done: 4.01, of: 4, unit: 'hours' })
  assert.equal(startup.awaiting, 'making the past, 4 of 4 hours')
  startup.begin('indexing')
  assert.equal(startup.awaiting, 'indexing')
})

test('the start of a devnet stops after a request to stop', () => {
  const stopping = new AbortController()
  const startup = new Startup(stopping.signal)
  startup.begin('making the past')
  startup.advance({ done: 1, of: 4, unit: 'hours' })
  stopping.abort()
  assert.throws(() => startup.advance({ done: 2, of: 4, unit: 'hours' }), StartStopped)
  assert.throws(() => startup.begin('indexing'), StartStopped)
})

/** A progress line on a terminal of that width or in a pipe, and its output. */
function lineOn(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  const clock = { nowMs: 1_000 }
  const output = { ...terminal, write: (text: string) => written.push(text) }
  return { line: new ProgressLine(output, () => clock.nowMs), clock, written }
}

test('a terminal shows the progress of a start in one line, which is cleared at the end', () => {
  const { line, clock, written } = lineOn({ isTTY: true, columns: 39 })
  line.clear()
  line.show('indexing')
  clock.nowMs += 2_500
  line.show('making the past, 2.4 of 4 hours')
  line.clear()
  line.clear()
  assert.deepEqual(written, [
    '\r\u001b[Kopenvenue starts: indexing (0 s)',
    '\r\u001b[Kopenvenue starts: making the past, 2.4',
    '\r\u001b[K',
  ])
})

test('a pipe gets a line of progress each five seconds and no control characters', () => {
  const { line, clock, written } = lineOn({})
  for (let tick = 0; tick < 60; tick++) {
    line.show('indexing')
    clock.nowMs += 200
  }
  line.clear()
  assert.deepEqual(written, [
    'openvenue starts: indexing (5 s)\n',
    'openvenue starts: indexing (10 s)\n',
  ])
})
