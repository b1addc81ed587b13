import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lead } from './leadership.ts'

test('a database that refuses the lease a hundred times is logged once, and once when it answers', async () => {
  const lines: string[] = []
  const stopped = new AbortController()
  let nowMs = 0
  let tries = 0
  const log = {
    info: (_facts: object, text: string) => void lines.push(text),
    warn: (_facts: object, text: string) => void lines.push(text),
    debug: () => {},
  }
  await lead(
    {
      store: {
        lease: async () => {
          if (++tries <= 100) throw new Error('cut')
          return undefined
        },
      },
      clock: {
        nowMs: () => nowMs,
        delay: async (ms: number) => {
          nowMs += ms
          if (tries === 103) stopped.abort()
        },
      } as never,
      log: log as never,
      ...{ name: 'keeper', role: 'keeper', address: '0x1' },
      onLead: () => {},
      work: async () => {},
    },
    stopped.signal,
  )
  assert.deepEqual(lines, [
    'the database does not answer, trying again',
    'the database answers again',
    'another keeper leads, on standby',
  ])
})
