import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Intent, IntentState } from '@openvenue/store/intents/intents'
import { SaltIndex } from './salts.ts'

const market = (engine: string, number: number) =>
  `0x${engine.repeat(20)}${number.toString(16).padStart(8, '0')}`
const [FIRST, SECOND, ELSEWHERE] = [market('e1', 1), market('e1', 2), market('e2', 1)] as const

const intent = (id: string, state: IntentState = 'queued') =>
  ({
    id,
    account: 7,
    market: FIRST,
    state,
    payload: { kind: 'order', order: { salt: '5' } },
  }) as unknown as Intent

describe('orders by their salt', () => {
  const of = { account: 7, market: FIRST, salt: '5' }

  test('the salt index finds an order in each market of the engine, and for no other account, salt or engine', () => {
    const index = new SaltIndex()
    index.put(intent('a'))
    assert.equal(index.find({ ...of, market: SECOND }), 'a')
    for (const change of [{ account: 8 }, { salt: '6' }, { market: ELSEWHERE }])
      assert.equal(index.find({ ...of, ...change }), undefined)
  })

  test('the salt index drops a salt with its last order', () => {
    const index = new SaltIndex()
    for (const id of ['a', 'b']) index.put(intent(id))
    index.remove(intent('a'))
    assert.equal(index.find(of), 'b')
    index.remove(intent('b'))
    assert.equal(index.find(of), undefined)
  })

  test('the salt index ignores held orders and cancels', () => {
    const index = new SaltIndex()
    index.put(intent('a', 'received'))
    index.put({ ...intent('b'), payload: { kind: 'cancel', target: 'a' } })
    assert.equal(index.find(of), undefined)
  })
})
