// Failed logins are logged, without the key or its secret.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { headersOf, keyNode } from '../../test/key-node.ts'
import { TRANSPORTS } from '../../test/socket-client.ts'
import { ALICE, socketNode } from '../../test/socket-node.ts'

test('a failed login is one line with its request, code and address, and without the key', async () => {
  const texts: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      texts.push(String(chunk))
      done()
    },
  })
  const node = await keyNode({ logger: pino({ level: 'info' }, stream) })
  const known = headersOf(await node.register())
  const wrong = { ...known, 'api-secret': 'f'.repeat(64), 'x-request-id': 'mine' }
  assert.equal((await node.send({ url: '/api-keys', headers: known })).status, 200)
  assert.equal((await node.send({ url: '/api-keys', headers: wrong })).status, 401)
  assert.equal((await node.send({ url: '/api-keys' })).status, 401)
  await node.close()
  const lines = texts.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'login failed')
  assert.deepEqual(
    lines.map(({ reqId, code, address, route }) => ({ reqId, code, address, route })),
    [{ reqId: 'mine', code: 'AUTH_INVALID', address: '127.0.0.1', route: '/api-keys' }],
  )
  for (const secret of [...Object.values(known), 'f'.repeat(64)])
    assert.ok(!texts.join('').includes(secret))
})

for (const transport of TRANSPORTS)
  test(`a failed login over ${transport} is one line with its code and address, and without the key`, async () => {
    const texts: string[] = []
    const logger = pino({ level: 'info' }, { write: (text) => void texts.push(text) })
    const node = await socketNode({ host: { logger } })
    const client = await node.connect(transport)
    const served = transport === 'websocket' ? 'websocket' : 'socket.io'
    const known = node.keys.issue(ALICE, 'a')
    const wrong = { ...known, secret: 'f'.repeat(64) }
    assert.equal((await client.ask('auth', known)).error, undefined)
    assert.equal((await client.ask('auth', wrong)).error, 'AUTH_INVALID')
    await node.close()
    const lines = texts.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'login failed')
    assert.deepEqual(
      lines.map(({ code, address, transport }) => ({ code, address, transport })),
      [{ code: 'AUTH_INVALID', address: '127.0.0.1', transport: served }],
    )
    for (const secret of [known.key, known.secret, wrong.secret])
      assert.ok(!texts.join('').includes(secret))
  })
