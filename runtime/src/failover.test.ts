import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withFailover } from './failover.ts'

describe('places that are asked in turn', () => {
  const asking = (places: readonly string[]) => {
    const down = new Set<string>()
    const calls: string[] = []
    const switches: [number, string][] = []
    const ask = withFailover(places, (place, failure) =>
      switches.push([place, (failure as Error).message]),
    )
    const callPlace = (name: string) => {
      calls.push(name)
      return down.has(name) ? Promise.reject(new Error(name)) : Promise.resolve(name)
    }
    return {
      down,
      asked: calls,
      switches,
      ask: () => ask(callPlace, (error) => (error as Error).message === 'refuses'),
    }
  }

  test('when a place fails the next one answers, and is asked first from then on', async () => {
    const { down, asked, switches, ask } = asking(['a', 'b', 'c'])
    assert.equal(await ask(), 'a')
    down.add('a')
    assert.equal(await ask(), 'b')
    assert.equal(await ask(), 'b')
    down.add('b')
    assert.equal(await ask(), 'c')
    down.clear()
    assert.equal(await ask(), 'c')
    assert.deepEqual(asked, ['a', 'a', 'b', 'b', 'b', 'c', 'c'])
    const once = [
      [1, 'a'],
      [2, 'b'],
    ]
    assert.deepEqual(switches, once, 'each switch is reported once')
  })

  test('when all places fail each is asked once, and the failure of the last is thrown', async () => {
    const { down, asked, ask } = asking(['a', 'b'])
    for (const name of ['a', 'b']) down.add(name)
    await assert.rejects(ask(), { message: 'b' })
    assert.deepEqual(asked, ['a', 'b'])
  })

  test('a failure that is an answer is thrown without asking the next place', async () => {
    const { down, asked, ask } = asking(['refuses', 'b'])
    down.add('refuses')
    await assert.rejects(ask(), { message: 'refuses' })
    assert.deepEqual(asked, ['refuses'])
  })
})
