// The rows that a schema gives: path, type and nullability of fields.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ns, nullable, strict } from '@openvenue/wire/field'
import Type from 'typebox'
import { schemaFields } from './schema-fields.ts'

const rows = (schema: object, elsewhere = (): string | undefined => undefined) =>
  schemaFields(schema, elsewhere).map(({ path, type, description, isOptional }) =>
    [path, type, description, isOptional ? 'optional' : ''].join(' | ').trimEnd(),
  )

describe('the fields of a schema', () => {
  test('fields have their path, type and description, and show what may be null or absent', () => {
    const schema = strict({
      price: nullable(decimal('Human units.')),
      time: Type.Optional(ns('When.')),
      side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
      kind: nullable(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      ids: Type.Array(Type.String()),
    })
    assert.deepEqual(rows(schema), [
      'price | decimal text or null | Human units. |',
      'time | digits | When. Nanoseconds. | optional',
      'side | "buy", "sell" |  |',
      'kind | "a", "b" or null |  |',
      'ids | array of string |  |',
    ])
  })

  test('fields may be null by their type, by a word, or by a choice', () => {
    const properties = {
      a: { type: ['string', 'null'] },
      b: { type: ['string', 'null'], enum: ['x', 'y', null] },
      c: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      d: { type: ['object', 'null'], properties: { e: { type: 'integer' } }, required: ['e'] },
    }
    const required = Object.keys(properties)
    assert.deepEqual(rows({ type: 'object', properties, required }), [
      'a | string or null |  |',
      'b | "x", "y" or null |  |',
      'c | integer or null |  |',
      'd | object or null |  |',
      'd.e | integer |  |',
    ])
  })

  test('fields of one enum read like those of a choice of words', () => {
    const words = { enum: ['buy', 'sell'], type: 'string' }
    assert.deepEqual(rows({ type: 'object', properties: { side: words }, required: ['side'] }), [
      'side | "buy", "sell" |  |',
    ])
  })

  test('members of objects in lists and of tuples follow them', () => {
    const level = Type.Tuple([decimal('Price.'), decimal('Amount.')])
    const schema = strict({
      bids: Type.Array(level, { description: 'Best first.' }),
      best: nullable(strict({ price: decimal('') })),
    })
    assert.deepEqual(rows(schema), [
      'bids | array of arrays | Best first. |',
      'bids[][0] | decimal text | Price. |',
      'bids[][1] | decimal text | Amount. |',
      'best | object or null |  |',
      'best.price | decimal text |  |',
    ])
  })

  test('members of a choice of objects follow each', () => {
    const schema = Type.Union([
      strict({ a: Type.Integer() }, 'One.'),
      strict({ b: Type.Integer() }),
    ])
    assert.deepEqual(rows(schema), [
      ' | object |  |',
      ' | object | Either: One. |',
      'a | integer |  |',
      ' | object | Either: an object. |',
      'b | integer |  |',
    ])
  })

  test('fields described elsewhere are left out', () => {
    const item = strict({ a: Type.Integer() })
    const fields = schemaFields(strict({ items: Type.Array(item) }), (_schema, path) =>
      path === 'items[]' ? 'As there.' : undefined,
    )
    assert.deepEqual(
      fields.map(({ path, description }) => `${path} ${description}`.trim()),
      ['items', 'items[] As there.'],
    )
  })
})
