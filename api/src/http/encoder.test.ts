import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type AcceptedCoding, acceptedCoding, type Coding } from './accept-encoding.ts'
import { COMPRESSED_BYTES_PER_SECOND_MAX, Encoder } from './encoder.ts'
import { isUnchanged, Representation } from './representation.ts'

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }
const CODINGS: readonly Coding[] = ['br', 'gzip']
const wish = (coding: Coding): AcceptedCoding => ({ coding, refusesRaw: false })

/** Text of `length` bytes that compresses like our bodies. */
const text = (length: number) => {
  let rows = ''
  for (let at = 0; rows.length < length; at++) rows += `{"price":"${3000 + (at % 97)}"},`
  return Buffer.from(rows.slice(0, length))
}

describe('a representation', () => {
  for (const coding of CODINGS) {
    test(`a representation of more than 1,024 bytes is made once in ${coding}, small ones at once`, async () => {
      const encoder = new Encoder()
      const body = text(1025)
      const small = new Representation(body, { encoder })
      const encoded = small.encode(wish(coding))
      assert.ok(Buffer.isBuffer(encoded) && encoded.length < 300)
      assert.deepEqual(DECODE[coding](encoded), body)
      assert.equal(small.encode(wish(coding)), encoded)
      assert.equal(small.bytes, body.length + encoded.length)
      const large = new Representation(text(200_000), { encoder })
      const promise = large.encode(wish(coding))
      assert.ok(promise instanceof Promise, 'off the event loop')
      assert.equal(large.encode(wish(coding)), promise)
      const bytes = await promise
      assert.deepEqual(DECODE[coding](bytes), large.body)
      assert.equal(large.encode(wish(coding)), bytes)
      assert.equal(large.bytes, 200_000 + bytes.length)
    })

    test(`a representation in ${coding} takes any tail without being compressed again`, async () => {
      for (const length of [1, 2, 1030, 70_000]) {
        const encoder = new Encoder()
        const stable = text(length)
        const open = new Representation(stable, { encoder, compression: 'open' })
        const accepted = { coding, refusesRaw: true }
        for (const tail of ['}', `,"last_updated_timestamp":1767300000000}`, 'x'.repeat(65_535)]) {
          const whole = await open.encodeWith(Buffer.from(tail), accepted)
          assert.ok(whole !== undefined)
          assert.equal(DECODE[coding](whole).toString(), stable + tail)
        }
        assert.equal(encoder.bytes, Math.max(length, 4096))
        assert.throws(() => open.encodeWith(Buffer.alloc(0), accepted), RangeError)
        assert.throws(() => open.encodeWith(Buffer.alloc(65_536), accepted), RangeError)
      }
    })
  }

  test('a representation of 1,024 bytes is raw, unless raw is refused', () => {
    const small = new Representation(text(1024), { encoder: new Encoder() })
    assert.equal(small.encode(acceptedCoding('br, gzip')), undefined)
    assert.ok(small.encode(acceptedCoding('br, gzip, identity;q=0')))
    assert.equal(small.encode(acceptedCoding('identity;q=0')), undefined)
  })

  test('a representation has one ETag for its content, whichever instance made it', () => {
    const encoder = new Encoder()
    const etag = (body: string) => new Representation(Buffer.from(body), { encoder }).etag
    assert.equal(etag('[1]'), etag('[1]'))
    assert.notEqual(etag('[1]'), etag('[2]'))
    assert.match(etag('[1]'), /^W\/"[\w-]{27}"$/)
  })

  test('a representation is unchanged for a client with its ETag, weak or strong, single or in a list, or *', () => {
    const etag = 'W/"abc"'
    for (const known of ['W/"abc"', '"abc"', '"x", W/"abc" , "y"', '*', ' * '])
      assert.ok(isUnchanged(known, etag), known)
    for (const other of ['', '"abcd"', 'W/"x"', 'abc', '"*"'])
      assert.ok(!isUnchanged(other, etag), other)
    assert.ok(!isUnchanged(undefined, etag))
  })
})

describe('the budget of compression', () => {
  test('the budget of compression is shared by all clients in a second; then answers are raw until it grows again', () => {
    let nowMs = 0
    const encoder = new Encoder(() => nowMs)
    const body = text(1024)
    let made = 0
    while (encoder.encode(body, 'br', 'live') !== undefined) made++
    assert.equal(made, COMPRESSED_BYTES_PER_SECOND_MAX / 4096, 'a small body counts for 4,096')
    assert.equal(encoder.bytes, COMPRESSED_BYTES_PER_SECOND_MAX)
    assert.equal(encoder.refused, 1)
    nowMs = 500
    made = 0
    while (encoder.encode(body, 'gzip', 'live') !== undefined) made++
    assert.equal(made, COMPRESSED_BYTES_PER_SECOND_MAX / 2 / 4096)
  })

  test('the budget of compression lets a body pass that is larger than all of it, once it is whole', async () => {
    let nowMs = 0
    const encoder = new Encoder(() => nowMs)
    const body = Buffer.alloc(COMPRESSED_BYTES_PER_SECOND_MAX + 1)
    await encoder.encode(body, 'gzip', 'live')
    assert.equal(encoder.encode(body, 'gzip', 'live'), undefined)
    nowMs = 2000
    assert.ok(encoder.encode(body, 'br', 'live') instanceof Promise)
  })
})
