import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { FromWorker } from '../protocol.ts'
import { FramePoster } from './frame-poster.ts'

describe('posts to the page', () => {
  const page = globalThis as { postMessage?: (message: FromWorker) => void }
  let posted: FromWorker[] = []
  beforeEach(() => {
    posted = []
    page.postMessage = (message) => posted.push(message)
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => {
    mock.timers.reset()
    delete page.postMessage
  })

  const later = (poster: FramePoster) => {
    const made: string[] = []
    const show = (text: string) =>
      poster.showLater('latency', () => {
        made.push(text)
        return text
      })
    return { made, show }
  }

  test('a post to the page has the newest value of each member, created when posted', () => {
    const { made, show } = later(new FramePoster())
    for (const text of ['1', '2', '3']) show(text)
    mock.timers.tick(100)
    assert.deepEqual([made, posted], [['3'], [{ latency: '3' }]])
  })

  test('posts to a hidden page are deferred, and sent at once when it is visible again', () => {
    const poster = new FramePoster()
    const { made, show } = later(poster)
    poster.visible(false)
    for (let at = 0; at < 1_000; at++) show(`${at}`)
    mock.timers.tick(60_000)
    assert.deepEqual([made, posted], [[], []])
    poster.visible(true)
    assert.deepEqual([made, posted], [['999'], [{ latency: '999' }]])
  })

  test('posts to a hidden page contain only the title, at most once a second', () => {
    const poster = new FramePoster()
    poster.show('latency', '1')
    mock.timers.tick(100)
    poster.visible(false)
    for (let at = 0; at < 100; at++) {
      poster.show('title', `${at}`)
      poster.show('latency', `${at}`)
    }
    mock.timers.tick(900)
    assert.equal(posted.length, 1, 'nothing for most of a second')
    mock.timers.tick(100)
    assert.deepEqual(posted.slice(1), [{ title: '99' }])
    mock.timers.tick(60_000)
    assert.equal(posted.length, 2, 'nothing without news')
    poster.freeze(true)
    poster.show('title', 'frozen')
    mock.timers.tick(2_000)
    assert.equal(posted.length, 2, 'frozen numbers stay as they are')
    poster.freeze(false)
    assert.deepEqual(posted.slice(2), [{ title: 'frozen' }])
    poster.visible(true)
    assert.deepEqual(posted.at(-1), { latency: '99' })
  })

  test('posts to a paused page omit continuous data, but include answers', () => {
    const poster = new FramePoster()
    poster.freeze(true)
    const rows = {
      positions: [],
      account: undefined as never,
      fills: [],
      ownMarks: undefined as never,
    }
    for (const name of ['positions', 'account', 'fills', 'ownMarks'] as const)
      poster.showLater(name, () => rows[name])
    poster.show('orders', [])
    poster.show('problem', 'wrong')
    mock.timers.tick(100)
    assert.deepEqual(posted, [{ orders: [], problem: 'wrong' }])
    poster.freeze(false)
    assert.deepEqual(Object.keys(posted[1] ?? {}), ['positions', 'account', 'fills', 'ownMarks'])
  })
})
