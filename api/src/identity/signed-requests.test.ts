// Signed requests without a secret (section 8 of the order entry), and attacks on them.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { headersOf, type KeyNode, keyNode, NOW_MS, type Reply } from '../../test/key-node.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import {
  issueSigningKey,
  type SigningKey,
  sign,
  signedHeaders,
  TEST_SEAL,
} from '../../test/signing.ts'

const ALICE = `0x${'a1'.repeat(20)}`
const NS = 1_000_000n
const settings = { secretSeal: TEST_SEAL }

let node: KeyNode
let key: SigningKey
/** A new one for each request. */
let timestamp = BigInt(NOW_MS) * NS
before(async () => {
  node = await keyNode({ settings })
  key = await issueSigningKey(node.store, ALICE, NOW_MS)
})
beforeEach(() => {
  timestamp += 1n
})
after(() => node.close())

type Headers = Readonly<Record<string, string>>
const get = (headers: Headers, url = '/api-keys', at = node) => at.send({ url, headers })
const codeOf = ({ status, body }: Reply) => [status, body.error]
const NAME = JSON.stringify({ name: 'made' })
/** Renames the key itself: a write that may be repeated. */
const PATCH = { method: 'PATCH', path: '' }
const rename = (headers: Headers, { at = node, body = NAME, url = '' } = {}) =>
  at.send({ method: 'PATCH', url: url || `/api-keys/${key.key}`, headers, body })
const signRename = (body = NAME) =>
  signedHeaders(key, timestamp, { ...PATCH, path: `/api-keys/${key.key}`, body })

describe('a signed request', () => {
  test('a signed request is let in without the secret, by our headers and by those of a brand', async () => {
    const headers = signedHeaders(key, timestamp, { path: '/api-keys' })
    assert.equal((await get(headers)).status, 200)
    const branded = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('api-', 'AEVO-'), value]),
    )
    assert.equal((await get(branded)).status, 200)
    const shouted = { ...headers, 'api-signature': headers['api-signature']?.toUpperCase() ?? '' }
    assert.equal((await get(shouted)).status, 200)
    assert.ok(!Object.values(headers).includes(key.secret))
  })

  test('a signed request agrees with an independent computation of the text', async () => {
    const body = '{"name":"ü"}'
    const at = timestamp.toString()
    const signature = sign(key, at, 'PATCH', `/api-keys/${key.key}`, body)
    const headers = { 'api-key': key.key, 'api-timestamp': at, 'api-signature': signature }
    const reply = await rename(headers, { body })
    assert.deepEqual([reply.status, reply.body.name], [200, 'ü'])
  })

  test('a signed request may have its query signed, or not', async () => {
    const url = '/notifications?limit=3'
    for (const path of ['/notifications', url]) {
      const reply = await get(signedHeaders(key, timestamp, { path }), url)
      assert.notEqual(reply.status, 401, path)
    }
    const other = signedHeaders(key, timestamp, { path: '/notifications?limit=4' })
    assert.deepEqual(codeOf(await get(other, url)), [401, 'AUTH_INVALID'])
  })

  for (const [what, change] of [
    ['another path', { path: '/notifications' }],
    ['another method', { method: 'POST' }],
    ['a method in lower case', { method: 'get' }],
    ['a body', { body: '{}' }],
  ] as const)
    test(`a signed request is 401 AUTH_INVALID when ${what} was signed`, async () => {
      const headers = signedHeaders(key, timestamp, { path: '/api-keys', ...change })
      const reply = await get(headers)
      assert.deepEqual(codeOf(reply), [401, 'AUTH_INVALID'])
      assert.equal(reply.body.details[0].field, 'API-SIGNATURE')
    })

  test('a signed request is 401 AUTH_INVALID with another body, another key, or half a signature', async () => {
    assert.deepEqual(codeOf(await rename(signRename('{"name":"other"}'))), [401, 'AUTH_INVALID'])
    assert.deepEqual(codeOf(await rename(signRename(), { body: `${NAME} ` })), [
      401,
      'AUTH_INVALID',
    ])
    const good = signedHeaders(key, timestamp, { path: '/api-keys' })
    const other = await issueSigningKey(node.store, ALICE, NOW_MS)
    for (const change of [
      { 'api-key': other.key },
      { 'api-key': '0'.repeat(32) },
      { 'api-key': 'nothing' },
      { 'api-signature': good['api-signature']?.slice(0, 62) ?? '' },
      { 'api-signature': `${good['api-signature']}00` },
      { 'api-signature': '0'.repeat(64) },
      { 'api-signature': 'z'.repeat(64) },
      { 'api-timestamp': (timestamp + 1n).toString() },
    ])
      assert.deepEqual(codeOf(await get({ ...good, ...change } as Headers)), [401, 'AUTH_INVALID'])
  })

  test('a signed request is 401 AUTH_REQUIRED where a part is missing, also beside a secret', async () => {
    const { 'api-timestamp': at = '', ...rest } = signedHeaders(key, timestamp, {
      path: '/api-keys',
    })
    assert.deepEqual(codeOf(await get(rest)), [401, 'AUTH_REQUIRED'])
    assert.deepEqual(codeOf(await get({ ...rest, 'api-secret': key.secret })), [
      401,
      'AUTH_REQUIRED',
    ])
    assert.equal((await get({ 'api-key': key.key, 'api-secret': key.secret })).status, 200)
    assert.notEqual(at, '')
  })

  test('a signed request with a wrong signature is not let in by a right secret beside it', async () => {
    const good = signedHeaders(key, timestamp, { path: '/nowhere' })
    const reply = await get({ ...good, 'api-secret': key.secret })
    assert.deepEqual(codeOf(reply), [401, 'AUTH_INVALID'])
  })

  for (const [offMs, isNear] of [
    [-30_000, true],
    [30_000, true],
    [-30_001, false],
    [30_001, false],
  ] as const)
    test(`a signed request ${offMs} ms from the time of the server is ${isNear ? 'taken' : 'refused'}`, async () => {
      const at = BigInt(NOW_MS + offMs) * NS
      const reply = await get(signedHeaders(key, at, { path: '/api-keys' }))
      assert.deepEqual(codeOf(reply), isNear ? [200, undefined] : [401, 'AUTH_TIMESTAMP_INVALID'])
    })

  for (const at of ['', '-1', '1.5', '0x10', `${NOW_MS}`, `${NOW_MS}000000000`, '9'.repeat(40)])
    test(`a signed request with the timestamp "${at}" is refused, and asks nothing of the database`, async () => {
      const down = await keyNode({ settings, identity: BROKEN_ACCOUNTS.identity }, node.store)
      const headers = { 'api-key': key.key, 'api-timestamp': at, 'api-signature': '0'.repeat(64) }
      const [status, code] = codeOf(await get(headers, '/api-keys', down))
      await down.close()
      assert.equal(status, 401)
      assert.equal(code, at === '' ? 'AUTH_REQUIRED' : 'AUTH_TIMESTAMP_INVALID')
    })
})

describe('a repeat of a signed request', () => {
  test('a repeat of a signed request that changes nothing is answered again', async () => {
    const headers = signedHeaders(key, timestamp, { path: '/api-keys' })
    for (let n = 0; n < 3; n++) assert.equal((await get(headers)).status, 200)
  })

  test('a repeat of a signed request that changes something is 401 AUTH_REPLAYED, also on another node, until it is too old', async () => {
    const other = await keyNode({ settings }, node.store)
    const headers = signRename()
    assert.equal((await rename(headers)).status, 200)
    const shouted = { ...headers, 'api-signature': headers['api-signature']?.toUpperCase() ?? '' }
    for (const at of [node, other, other])
      assert.deepEqual(codeOf(await rename(shouted, { at })), [401, 'AUTH_REPLAYED'])
    const lagging = await keyNode({ settings }, node.store)
    lagging.setNowMs(NOW_MS - 29_000)
    assert.deepEqual(codeOf(await rename(headers, { at: lagging })), [401, 'AUTH_REPLAYED'])
    other.setNowMs(NOW_MS + 30_002)
    assert.deepEqual(codeOf(await rename(headers, { at: other })), [401, 'AUTH_TIMESTAMP_INVALID'])
    await other.close()
    await lagging.close()
  })

  test('a repeat of a signed request is refused with another query as well, whether that was signed or not', async () => {
    const headers = signRename()
    assert.equal((await rename(headers, { url: `/api-keys/${key.key}?a=1` })).status, 200)
    const again = await rename(headers, { url: `/api-keys/${key.key}?a=2` })
    assert.deepEqual(codeOf(again), [401, 'AUTH_REPLAYED'])
  })

  test('a repeat of a signed request is refused when both come at once, over two nodes', async () => {
    const other = await keyNode({ settings }, node.store)
    const headers = signRename()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => rename(headers, { at: n % 2 === 0 ? node : other })),
    )
    await other.close()
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ body }) => body.error === 'AUTH_REPLAYED').length, 19)
  })

  test('a repeat of a signed request is not taken while it cannot be known whether it is one: 503', async () => {
    const { identity } = node.store
    const useSignature = () => Promise.reject(new Error('down'))
    const at = await keyNode({ settings, identity: { ...identity, useSignature } }, node.store)
    const headers = signRename()
    assert.deepEqual(codeOf(await rename(headers, { at })), [503, 'AUTH_UNAVAILABLE'])
    await at.close()
    assert.equal((await rename(headers)).status, 200, 'it was not used up')
  })

  test('a repeat of a signed request asks nothing of the database on a node that has seen it', async () => {
    const { identity } = node.store
    let asked = 0
    const useSignature: typeof identity.useSignature = (use) => {
      asked += 1
      return identity.useSignature(use)
    }
    const at = await keyNode({ settings, identity: { ...identity, useSignature } }, node.store)
    const headers = signRename()
    for (let n = 0; n < 100; n++) await rename(headers, { at })
    await at.close()
    assert.equal(asked, 1)
  })

  test('a repeat of a signed request does not use up the limits of the account', async () => {
    const counted: string[] = []
    const rate = { points: 100, seconds: 1 }
    const consume = async (bucket: string) => {
      counted.push(bucket)
      return { allowed: true, remaining: 1, resetMs: 0 }
    }
    const rates = { consume, publicRate: rate, privateRate: rate }
    const at = await keyNode({ settings, rates }, node.store)
    const headers = signRename()
    for (let n = 0; n < 3; n++) await rename(headers, { at })
    await at.close()
    assert.deepEqual(counted, ['private', 'public', 'public'])
  })
})

describe('the key of a signed request', () => {
  test('the key of a signed request must have been made for signing', async () => {
    const plain = await node.register({})
    const { 'api-key': text, 'api-secret': secret } = headersOf(plain)
    const signing = { key: text, secret }
    const reply = await get(signedHeaders(signing, timestamp, { path: '/api-keys' }))
    assert.deepEqual(codeOf(reply), [401, 'AUTH_INVALID'])
  })

  test('a key that signs requests is made by POST /register with hmac true', async () => {
    const reply = await node.register({ members: { hmac: true } })
    const { 'api-key': text, 'api-secret': secret } = headersOf(reply)
    const headers = signedHeaders({ key: text, secret }, timestamp, { path: '/api-keys' })
    const listed = await get(headers)
    assert.equal(listed.status, 200)
    assert.equal(listed.body.api_keys[0].hmac, true)
    const [row] = await node.store.db.primary.query(
      'SELECT sealed_secret, secret_hash FROM api_keys WHERE key = $1',
      [text],
    )
    assert.ok(!JSON.stringify(row).includes(secret))
  })

  test('a key no longer signs once the operator has lost what sealed it', async () => {
    const at = await keyNode({}, node.store)
    const headers = signedHeaders(key, timestamp, { path: '/api-keys' })
    assert.deepEqual(codeOf(await get(headers, '/api-keys', at)), [401, 'AUTH_INVALID'])
    await at.close()
  })

  test('a key no longer signs once it is revoked, even while a body is on its way', async () => {
    const gone = await issueSigningKey(node.store, ALICE, NOW_MS)
    const url = await node.host.listen({ host: '127.0.0.1', port: 0 })
    const path = `/api-keys/${gone.key}`
    const signed = signedHeaders(gone, timestamp, { method: 'PATCH', path, body: NAME })
    const { port } = new URL(url)
    const sending = httpRequest({
      port,
      path,
      method: 'PATCH',
      headers: { ...signed, ...JSON_TYPE },
    })
    const answered = new Promise<number | undefined>((resolve) =>
      sending.on('response', (response) => resolve(response.resume().statusCode)),
    )
    await new Promise((resolve) => sending.write(NAME.slice(0, 5), resolve))
    await node.store.identity.revoke(ALICE, gone.key, NOW_MS)
    sending.end(NAME.slice(5))
    assert.equal(await answered, 401)
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }

describe('the body of a signed request', () => {
  const port = () => (node.host.server.address() as AddressInfo).port

  test('the body of a signed request is its bytes as they came, in however many pieces', async () => {
    const body = `{ "name" : "p\\u00fc", "name":"${'x'.repeat(60)}" }`
    const path = `/api-keys/${key.key}`
    const headers = {
      ...signedHeaders(key, timestamp, { method: 'PATCH', path, body }),
      ...JSON_TYPE,
    }
    const sending = httpRequest({ port: port(), path, method: 'PATCH', headers })
    const answered = new Promise<number | undefined>((resolve) =>
      sending.on('response', (response) => resolve(response.resume().statusCode)),
    )
    for (const piece of body.match(/.{1,9}/gs) ?? [])
      await new Promise((resolve) => sending.write(piece, resolve))
    sending.end()
    assert.equal(await answered, 200)
  })

  for (const [name, extra] of [
    ['a length', {}],
    ['pieces', { 'transfer-encoding': 'chunked' }],
  ] as const)
    test(`the body of a signed request is 413 when it is too large, by ${name}`, async () => {
      const path = `/api-keys/${key.key}`
      const body = JSON.stringify({ name: 'x'.repeat(70_000) })
      const signed = signedHeaders(key, timestamp, { method: 'PATCH', path, body })
      const sending = httpRequest({
        port: port(),
        path,
        method: 'PATCH',
        headers: { ...signed, ...JSON_TYPE, ...extra },
      })
      sending.on('error', () => {})
      const answered = new Promise<number | undefined>((resolve) =>
        sending.on('response', (response) => resolve(response.resume().statusCode)),
      )
      sending.end(body)
      assert.equal(await answered, 413)
    })

  test('the body of a signed request is not read for an unknown key', async () => {
    const path = `/api-keys/${key.key}`
    const nobody = { ...key, key: 'e'.repeat(32) }
    const signed = signedHeaders(nobody, timestamp, { method: 'PATCH', path, body: NAME })
    const sending = httpRequest({
      port: port(),
      path,
      method: 'PATCH',
      headers: { ...signed, ...JSON_TYPE, 'content-length': '60000' },
    })
    sending.on('error', () => {})
    sending.flushHeaders()
    const status = await new Promise((resolve) =>
      sending.on('response', (response) => resolve(response.resume().statusCode)),
    )
    sending.destroy()
    assert.equal(status, 401)
  })
})

test('nothing that proves a caller is logged, whatever fails', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const at = await keyNode(
    {
      settings,
      logger: pino({ level: 'trace' }, sink) as never,
      keyRelays: { ...node.store.keyRelays, ofWallet: () => Promise.resolve(null as never) },
    },
    node.store,
  )
  const headers = signedHeaders(key, timestamp, { path: '/api-keys' })
  assert.equal((await get(headers, '/api-keys', at)).status, 500)
  await rename({ ...signRename(), 'api-secret': key.secret }, { at, body: '{' })
  await at.close()
  const text = lines.join('')
  assert.match(text, /failed/)
  for (const secret of [key.secret, headers['api-signature'] ?? '', key.key])
    assert.ok(!text.includes(secret))
})
