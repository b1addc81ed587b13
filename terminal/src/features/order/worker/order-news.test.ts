import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderNews } from '../order-protocol.ts'
import { OrderNewsList } from './order-news.ts'

function watch() {
  let shown: readonly OrderNews[] = []
  const news = new OrderNewsList((entries) => {
    shown = entries
  })
  return { news, texts: () => shown.map(({ text }) => text) }
}

describe('the news of orders', () => {
  test('an order has one message in its place, which a newer one replaces', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { news, texts } = watch()
    news.begin('Submitted: A', 'a')
    news.begin('Submitted: B', 'b')
    news.add('Filled: A', 'good', 'a')
    assert.deepEqual(texts(), ['Filled: A', 'Submitted: B'])
    news.begin('Submitted: A', 'a')
    assert.deepEqual(texts(), ['Filled: A', 'Submitted: B'], 'the chain was faster')
  })

  test('the message of an order stays for four seconds after its last change', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { news, texts } = watch()
    news.begin('Submitted: A', 'a')
    t.mock.timers.tick(3_000)
    news.add('Open: A', 'plain', 'a')
    t.mock.timers.tick(3_999)
    assert.deepEqual(texts(), ['Open: A'])
    t.mock.timers.tick(1)
    assert.deepEqual(texts(), [])
  })

  test('messages without an order are listed one by one', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { news, texts } = watch()
    for (const text of ['one', 'two']) news.add(text, 'bad')
    assert.deepEqual(texts(), ['one', 'two'])
  })
})
