// A secret is shown once, to its owner, and never logged. Interface 4.5.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { headersOf, keyNode, newWallet, type Reply } from '../../test/key-node.ts'
import { hashText } from './new-key.ts'

test('no secret, nor its hash, is in any log line of a run of registrations and failures', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const logger = pino({ level: 'trace' }, stream)
  const store = await openMemoryStore()
  let isDown = false
  const whileUp =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    (...args: A) =>
      isDown ? Promise.reject(new Error('the database is down')) : ask(...args)
  const { register, find, liveKeys, revoke, revokeAll } = store.identity
  const identity = {
    ...store.identity,
    register: whileUp(register),
    find: whileUp(find),
    liveKeys: whileUp(liveKeys),
    revoke: whileUp(revoke),
    revokeAll: whileUp(revokeAll),
  }
  const node = await keyNode({ logger, identity }, store)
  node.host.get('/fails', async (request) => {
    throw new Error(`on purpose, for ${request.headers['api-key']}`)
  })

  const wallet = newWallet()
  const replies: Reply[] = []
  for (let at = 0; at < 7; at++) replies.push(await node.register({ wallet }))
  const secrets = replies.map(({ body }) => String(body.api_secret))
  assert.ok(secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret)))
  /** Every request that a key allows, right and wrong. */
  const ask = async (headers: Readonly<Record<string, string>>) => {
    for (const [method, url, body] of [
      ['GET', '/api-keys', undefined],
      ['GET', '/account/x', undefined],
      ['GET', '/fails', undefined],
      ['POST', '/fails', {}],
      ['POST', '/register', { ...headers }],
      ['POST', '/register', `{"api_secret":"${headers['api-secret']}"`],
      ['DELETE', '/api-key', { api_key: headers['api-secret'] }],
      ['DELETE', '/api-key', { all: 1, api_key: 5, secret: headers['api-secret'] }],
    ] as const)
      await node.send({ method, url, headers, body })
  }
  for (const reply of replies) await ask(headersOf(reply))
  await ask({ ...headersOf(replies[6] as Reply), 'api-key': '0'.repeat(32) })
  isDown = true
  for (const reply of replies) await ask(headersOf(reply))
  await node.register({ wallet })
  isDown = false
  await node.send({
    method: 'DELETE',
    url: '/api-key',
    headers: headersOf(replies[6] as Reply),
    body: { all: true },
  })
  await node.close()
  await store.close()

  const log = lines.join('')
  assert.ok(log.includes('on purpose'), 'the log is the one that was written to')
  for (const secret of secrets) {
    assert.ok(!log.includes(secret))
    assert.ok(!log.includes(hashText(secret)))
  }
})
