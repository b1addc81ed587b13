import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import * as library from 'ws'
import { textFrame } from './text-frame.ts'

/** The part of the client that reads frames; its types leave it out. */
type Receivers = { Receiver: new (options: object) => Writable }
const { Receiver } = library as unknown as Receivers

describe('a text frame', () => {
  for (const [what, text] of [
    ['no text', ''],
    ['the longest short text', 'x'.repeat(125)],
    ['the shortest of a length in 16 bits', 'x'.repeat(126)],
    ['the longest of it', 'x'.repeat(65_535)],
    ['the shortest of a length in 64 bits', 'x'.repeat(65_536)],
    ['letters of several bytes', '…'.repeat(60)],
  ])
    test(`a text frame of ${what} is read unchanged`, async () => {
      const receiver = new Receiver({ isServer: false })
      const heard = once(receiver, 'message')
      receiver.write(textFrame(text ?? ''))
      const [bytes, isBinary] = await heard
      assert.equal(String(bytes), text)
      assert.equal(isBinary, false)
    })
})
