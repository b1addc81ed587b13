// A server that accepts a request and never finishes its answer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { ConnectionError } from '../errors.ts'
import { Rest } from './rest.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

async function serve(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const isLate = (error: unknown) => {
  assert.ok(error instanceof ConnectionError)
  assert.match(error.message, /no answer to GET .*\/markets within 100 ms/)
  return true
}

describe('a request to a server that hangs', () => {
  test('a request times out before the answer or in the middle of it', async () => {
    const partly = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[')
    }
    for (const answer of [() => {}, partly]) {
      const rest = new Rest({ url: await serve(answer), timeoutMs: 100 })
      await assert.rejects(rest.call('GET /markets'), isLate)
    }
  })

  test('a request throws the reason of its signal if the signal aborts before the timeout', async () => {
    const rest = new Rest({ url: await serve(() => {}) })
    const stopping = new AbortController()
    const pending = rest.call('GET /markets', {}, { signal: stopping.signal })
    stopping.abort(new Error('enough'))
    await assert.rejects(pending, /enough/)
  })
})
