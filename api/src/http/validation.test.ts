// Messages of a wrong field: its rule, the given value, and the nearest legal value.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCancelAfter } from '../orders/relay/safeguards.ts'
import { BodyReader } from '../orders/rules/body-reader.ts'
import { Refusal } from './refusals.ts'
import { invalid, parameterReader } from './validation.ts'

describe('a message of a wrong field', () => {
  for (const [given, shown] of [
    ['', '""'],
    ['x', '"x"'],
    ['a"\n\u0000', '"a\\"\\n\\u0000"'],
    ['a'.repeat(40), `"${'a'.repeat(40)}"`],
    ['a'.repeat(41), `"${'a'.repeat(40)}…" (41 characters)`],
    [`${'a'.repeat(39)}\u{1f600}`, `"${'a'.repeat(39)}\\ud83d…" (41 characters)`],
    [7, '7'],
    [10n ** 80n, `1${'0'.repeat(39)}… (81 characters)`],
    [null, 'null'],
    [true, 'true'],
    [['a', 'b'], 'a list of 2'],
    [{ secret: 'x' }, 'an object'],
  ] as const)
    test(`a message of a wrong field repeats ${typeof given} as ${shown.slice(0, 20)}`, () => {
      assert.equal(invalid('f', 'x', { given }).message, `f is invalid: got ${shown}, expected x`)
    })

  test('a message of a wrong field ends with the nearest legal value, which a program finds beside it', () => {
    const error = invalid('f', 'at most 3', { given: '4', nearest: 3 })
    assert.equal(error.message, 'f is invalid: got "4", expected at most 3; the nearest is 3')
    assert.equal(error.nearest, 3)
    assert.ok(!('given' in error))
  })

  const refusalOf = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.options.details?.map(({ message }) => message)
    }
    return undefined
  }

  test('a message of a wrong field is made so of every parameter', () => {
    const properties = {
      limit: { type: 'integer', minimum: 1, maximum: 9 },
      side: { enum: ['buy', 'sell'] },
      since: { 'x-digits': true },
      short: { maxLength: 3 },
      once: {},
    } as const
    const read = parameterReader({ properties }, 'querystring')
    const given = { limit: '10', side: 'up', since: 'now', short: 'long', once: ['a', 'b'] }
    assert.deepEqual(
      refusalOf(() => read(given)),
      [
        'limit is out of range: got "10", expected an integer from 1 to 9; the nearest is 9',
        'side is invalid: got "up", expected one of buy, sell',
        'since is invalid: got "now", expected Unix seconds, milliseconds or nanoseconds of 1 to 20 digits',
        'short is too long: got "long", expected at most 3 characters',
        'once is repeated: got a list of 2, expected one value',
      ],
    )
  })

  test('a message of a wrong field is made so of every kind of member of a body', () => {
    const members = { a: -1n, b: 1.5, c: 'x', d: '0x1', e: 1_700_000_000_000, f: 'maybe', g: 1 }
    const reader = new BodyReader(members)
    reader.integer('a')
    reader.integer('b', 9n)
    reader.word('c', ['GTC', 'IOC'])
    reader.hex('d', 2)
    reader.seconds('e')
    reader.flag('f')
    reader.meaningless('g', 'nothing executes it')
    assert.deepEqual(
      reader.errors.map(({ message }) => message),
      [
        'a is invalid: got -1, expected an integer from 0 to 2^256 - 1; the nearest is 0',
        'b is invalid: got 1.5, expected an integer from 0 to 9',
        'c is invalid: got "x", expected one of GTC, IOC',
        'd is invalid: got "0x1", expected 0x and 4 hex digits',
        'e is invalid: got 1700000000000, expected Unix seconds, an integer from 0 to 1099511627775; the nearest is 1700000000',
        'f is invalid: got "maybe", expected true or false',
        'g is not supported: got 1, expected none, since nothing executes it',
      ],
    )
    assert.deepEqual(
      refusalOf(() => parseCancelAfter({ timeout_ms: 1 })),
      [
        'timeout_ms is invalid: got 1, expected 0, or 5000 to 86400000 milliseconds; the nearest is 5000',
      ],
    )
  })
})
