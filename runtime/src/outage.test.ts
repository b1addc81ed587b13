import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATABASE_TEXTS, Outage } from './outage.ts'

function openOutage() {
  const lines: unknown[] = []
  let nowMs = 0
  const log = {
    info: (facts: object, text: string) => void lines.push(['info', text, facts]),
    warn: (facts: object, text: string) => void lines.push(['warn', text, facts]),
  }
  const outage = new Outage({ log, ...DATABASE_TEXTS, nowMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { lines, outage, pass }
}

test('a hundred failed attempts are one line, and the recovery is one line', () => {
  const { lines, outage, pass } = openOutage()
  const first = new Error('cut')
  outage.failed(first)
  for (let n = 1; n < 100; n++) {
    pass(250)
    outage.failed(new Error('still cut'))
  }
  pass(250)
  for (let n = 0; n < 100; n++) outage.recovered()
  assert.deepEqual(lines, [
    ['warn', 'the database does not answer', { err: first }],
    ['info', 'the database answers again', { failures: 100, seconds: 25 }],
  ])
})

test('a second outage is logged like the first', () => {
  const { lines, outage, pass } = openOutage()
  for (let n = 0; n < 2; n++) {
    outage.failed('cut', { endpoint: n })
    pass(1)
    outage.recovered({ endpoint: n })
  }
  assert.deepEqual(lines.slice(2), [
    ['warn', 'the database does not answer', { err: 'cut', endpoint: 1 }],
    ['info', 'the database answers again', { failures: 1, seconds: 0.001, endpoint: 1 }],
  ])
})

test('a log of an outage drops repeated errors and passes every other line on', () => {
  const { lines, outage } = openOutage()
  const log = outage.asLog()
  for (let n = 0; n < 100; n++) log.warn({ err: 'cut' }, 'any text')
  log.warn({ seq: 5 }, 'the feed does not go on from the head')
  log.info({ seq: 6 }, 'model loaded')
  assert.deepEqual(lines, [
    ['warn', 'the database does not answer', { err: 'cut' }],
    ['warn', 'the feed does not go on from the head', { seq: 5 }],
    ['info', 'model loaded', { seq: 6 }],
  ])
})

test('an outage with a quiet time ends no sooner after a failure, so that it cannot flap', () => {
  const lines: string[] = []
  let nowMs = 0
  const add = (_facts: object, text: string) => void lines.push(text)
  const log = { info: add, warn: add }
  const outage = new Outage({ log, down: 'down', up: 'up', nowMs: () => nowMs, quietMs: 1000 })
  for (let n = 0; n < 100; n++) {
    nowMs += 100
    if (n % 2 === 0) outage.failed('slow')
    else outage.recovered()
  }
  assert.deepEqual([lines, outage.isDown], [['down'], true])
  nowMs += 1000
  outage.recovered()
  assert.deepEqual([lines, outage.isDown], [['down', 'up'], false])
})
