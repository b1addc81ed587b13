import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectionWatch, DOWN_MS, judgeConnection, STALE_MS } from './connection-watch.ts'

const at = (isOpen: boolean, changedMs: number, messageMs: number | undefined, nowMs: number) =>
  judgeConnection({ isOpen, changedMs, messageMs }, nowMs)

describe('the connection', () => {
  test('the connection is connecting until the first message, or down if it takes too long', () => {
    assert.equal(at(false, 0, undefined, DOWN_MS), 'connecting')
    assert.equal(at(true, 100, undefined, 200), 'connecting')
    assert.equal(at(false, 0, undefined, DOWN_MS + 1), 'down')
  })

  test('the connection is open while messages arrive, and stale after two seconds without', () => {
    assert.equal(at(true, 100, 200, 200 + STALE_MS), 'open')
    assert.equal(at(true, 100, 200, 201 + STALE_MS), 'stale')
  })

  test('the connection is not stale if the chain itself takes longer between blocks', () => {
    const facts = { isOpen: true, changedMs: 0, messageMs: 100, blockMs: 12_000 }
    assert.equal(judgeConnection(facts, 36_100), 'open')
    assert.equal(judgeConnection(facts, 36_101), 'stale')
  })

  test('a stale connection reports its age in whole seconds, rounded up', () => {
    const watch = new ConnectionWatch(() => 0)
    assert.equal(watch.staleAfter, '2 s')
    watch.blockMs = 3_500
    assert.equal(watch.staleAfter, '11 s')
  })

  test('a stale connection counts the seconds since the last data', () => {
    let nowMs = 0
    const watch = new ConnectionWatch(() => nowMs)
    watch.enter('open')
    watch.noteMessage()
    nowMs = 10_900
    assert.equal(watch.quietFor, '10 s')
  })

  test('the connection is lost, then down, then catching up until the first message', () => {
    assert.equal(at(false, 5_000, 4_900, 5_100), 'lost')
    assert.equal(at(false, 5_000, 4_900, 5_001 + DOWN_MS), 'down')
    assert.equal(at(true, 20_000, 4_900, 20_100), 'resync')
    assert.equal(at(true, 20_000, 4_900, 20_001 + STALE_MS), 'stale')
    assert.equal(at(true, 20_000, 20_150, 20_200), 'open')
  })
})
