// The AsyncAPI document of the sockets: complete, consistent, and equal to the committed copy.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  OrderFailure,
  SOCKET_CODES,
  SOCKET_OPERATIONS,
  SOCKET_REPLIES,
  SocketFailure,
} from '@openvenue/wire/socket'
import { frameSchema, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { type OrderOperation, SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import { Compile } from 'typebox/schema'
import { ASYNCAPI_FILE, asyncApiText } from '../../scripts/openapi-document.ts'
import {
  asyncApiDocument,
  channelKey,
  firstLike,
  socketExamples,
} from '../../scripts/site/asyncapi-document.ts'
import { ALICE, type SocketNode, socketNode } from '../../test/socket-node.ts'

type Document = Readonly<{
  asyncapi: string
  servers: Readonly<Record<string, { host: string; protocol: string }>>
  channels: Readonly<Record<string, { address: string; messages: Record<string, object> }>>
  operations: Readonly<Record<string, { action: string; channel: { $ref: string } }>>
}>

const document = JSON.parse(JSON.stringify(asyncApiDocument())) as Document
const operations = Object.keys(SOCKET_OPERATIONS) as (keyof typeof SOCKET_OPERATIONS)[]
const orderOperations = Object.keys(SOCKET_SCOPES) as OrderOperation[]
type PlainOperation = Exclude<keyof typeof SOCKET_OPERATIONS, OrderOperation>
const plainOperations = operations.filter(
  (op): op is PlainOperation => !Object.hasOwn(SOCKET_SCOPES, op),
)

/** Every `$ref` in a value. */
const findRefs = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(findRefs)]
}

const resolved = (ref: string) =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)

describe('the description of the sockets', () => {
  let node: SocketNode
  before(async () => {
    node = await socketNode()
  })
  after(() => node.close())

  test('the description of the sockets is the one in docs', () => {
    assert.equal(readFileSync(ASYNCAPI_FILE, 'utf8'), asyncApiText())
  })

  test('the description of the sockets is served as JSON, with the host that was asked by', async () => {
    const response = await node.get('/asyncapi.json')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    // A client can claim any host, so shared caches must not keep the answer.
    assert.match(response.headers.get('cache-control') ?? '', /private/)
    const { host } = new URL(node.url)
    const text = JSON.stringify(document).replaceAll('localhost:3000', host)
    assert.deepEqual(await response.json(), JSON.parse(text))
  })

  test('the description uses TLS when a trusted proxy reports it, and ignores an invalid host', async () => {
    const behind = await socketNode({
      host: { rates: { consume: never, publicRate: undefined, proxyHops: 1 } },
    })
    const hosts = async (at: SocketNode, headers: Record<string, string>) => {
      const { body } = await at.host.inject({ url: '/asyncapi.json', headers })
      const { servers } = JSON.parse(body) as Document
      return [...new Set(Object.values(servers).map(({ protocol, host }) => `${protocol} ${host}`))]
    }
    const headers = { host: 'inner', 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' }
    assert.deepEqual(await hosts(behind, headers), ['socket.io a.example', 'wss a.example'])
    assert.deepEqual(await hosts(node, headers), ['socket.io inner', 'ws inner'])
    for (const host of ['"', 'a b', '","x":"', 'x'.repeat(10_240)])
      assert.deepEqual(await hosts(node, { host }), [
        'socket.io localhost:3000',
        'ws localhost:3000',
      ])
    await behind.close()
  })

  test('the description is cached for only a few of the requested hosts', async () => {
    const args = ['--expose-gc', '--input-type=module', '-e', ASK_BY_MANY_HOSTS]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: import.meta.dirname,
    })
    const { grownBytes, bytes } = JSON.parse(stdout)
    assert.ok(bytes > 50_000)
    assert.ok(grownBytes < (HOSTS / 4) * bytes, stdout)
  })

  test('the description has a valid example of everything that is sent', () => {
    const examples = socketExamples()
    for (const op of operations) {
      const { sent, reply } = examples.operations[op]
      assert.ok(Compile(SOCKET_OPERATIONS[op]).Check(sent), `${op} sent`)
      assert.ok(Compile(SOCKET_REPLIES[op]).Check(reply), `${op} reply`)
    }
    assert.ok(Compile(SocketFailure).Check(examples.failure))
    assert.ok(Compile(OrderFailure).Check(examples.orderFailure))
    const keys = SOCKET_CHANNELS.map((channel) => channelKey(firstLike(channel)))
    assert.deepEqual(Object.keys(examples.channels).sort(), [...new Set(keys)].sort())
    for (const channel of SOCKET_CHANNELS) {
      const example = examples.channels[channelKey(firstLike(channel))]
      assert.ok(Compile(frameSchema(channel)).Check(example), channel.name)
    }
  })

  test('the description has no dangling references', () => {
    const refs = findRefs(document)
    assert.ok(refs.length > 50)
    assert.deepEqual(
      refs.filter((ref) => resolved(ref) === undefined),
      [],
    )
  })

  test('the description of the sockets has every channel and every operation once', () => {
    assert.equal(document.asyncapi, '3.0.0')
    const addresses = Object.values(document.channels).map(({ address }) => address)
    assert.deepEqual(addresses, ['message', ...SOCKET_CHANNELS.map(({ name }) => name)])
    for (const op of operations) assert.equal(document.operations[op]?.action, 'receive')
  })

  test('the description matches the answers of the server', async () => {
    const client = await node.connect('websocket')
    const data = {
      auth: node.keys.issue(ALICE, 'a'),
      subscribe: ['wall', 'nothing'],
      unsubscribe: ['wall', 'nothing'],
      resync: { channel: 'wall' },
      channels: undefined,
      status: undefined,
      ping: undefined,
      logout: undefined,
    }
    for (const op of [...plainOperations, 'unsubscribe'] as const) {
      if (op === 'resync') await client.ask('subscribe', ['wall'])
      const sent = { op, ...(data[op] === undefined ? {} : { data: data[op] }) }
      assert.ok(Compile(SOCKET_OPERATIONS[op]).Check(sent), `${op} sent`)
      const reply = await client.ask(op, data[op])
      const schema = reply.error === undefined ? SOCKET_REPLIES[op] : SocketFailure
      assert.ok(Compile(schema).Check(reply), `${op}: ${JSON.stringify(reply)}`)
    }
    for (const [op, wrong] of [
      ['auth', {}],
      ['subscribe', ['nothing']],
      ['resync', { channel: 'wall' }],
      ['nothing', 1],
    ] as const) {
      const reply = await client.ask(op, wrong)
      assert.ok(reply.error !== undefined && reply.error in SOCKET_CODES)
      assert.ok(Compile(SocketFailure).Check(reply), JSON.stringify(reply))
    }
  })

  test('the description matches the answers to a client that may not place orders', async () => {
    const client = await node.connect('websocket')
    for (const op of orderOperations) {
      const reply = await client.ask(op, {})
      assert.ok(Compile(OrderFailure).Check(reply), JSON.stringify(reply))
    }
  })

  test('the description gives each channel a schema that refuses an invalid message', () => {
    for (const channel of SOCKET_CHANNELS)
      assert.equal(Compile(frameSchema(channel)).Check({ channel: 'x', data: {} }), false)
  })

  test('the description of the sockets is a page that names every operation, channel and code', async () => {
    const response = await node.get('/docs/sockets')
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const page = await response.text()
    for (const name of namesToShow) assert.ok(page.includes(`<code>${name}</code>`), name)
  })

  test('the description of the sockets is a page that shows the fields of every operation, with an example', async () => {
    const sections = await pageSections(node)
    for (const op of operations) {
      const text = sections.get(`op-${op}`) ?? ''
      assert.ok(text.includes(`<td>&quot;${op}&quot;</td>`), op)
      assert.match(text, /<code>data.*<pre>/s, op)
    }
  })

  test('the description of the sockets is a page that shows the fields of every channel, with an example', async () => {
    const sections = await pageSections(node)
    const own = SOCKET_CHANNELS.filter((channel) => firstLike(channel) === channel)
    assert.ok(own.length > 12)
    for (const channel of own) {
      const text = sections.get(`channel-${channelKey(channel)}`) ?? ''
      assert.match(text, /<pre>/, channel.name)
      for (const name of memberNames(channel.data.update))
        assert.ok(text.includes(`<code>${name}</code>`), `${channel.name}: ${name}`)
    }
    for (const channel of SOCKET_CHANNELS.filter((channel) => !own.includes(channel)))
      assert.match(sections.get(`channel-${channelKey(channel)}`) ?? '', /Fields as in/)
    assert.match(sections.get('channel-ticker') ?? '', /decimal text or null/)
  })

  test('the description of the sockets is a page without scripts whose links within it all lead somewhere', async () => {
    const page = await (await node.get('/docs/sockets')).text()
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    assert.ok(links.length > SOCKET_CHANNELS.length + operations.length)
    assert.deepEqual(
      links.filter((id) => !ids.includes(id)),
      [],
    )
    assert.doesNotMatch(page, /<script|javascript:|\son\w+=/)
  })

  test('the description of the sockets is described in docs/SOCKETS.md', () => {
    const text = readFileSync(new URL('../../../docs/SOCKETS.md', import.meta.url), 'utf8')
    for (const name of namesToShow) assert.ok(text.includes(`\`${name}\``), name)
  })
})

/** Returns the titled sections of the page by their anchors. */
const pageSections = async (node: SocketNode): Promise<ReadonlyMap<string, string>> => {
  const page = await (await node.get('/docs/sockets')).text()
  const sections = page.split(/<h[23] id="/)
  return new Map(sections.map((text) => [text.slice(0, text.indexOf('"')), text]))
}

/** Names of the members of an object, or of those in a list. */
const memberNames = (schema: object): readonly string[] => {
  const { properties } = schema as { properties?: object }
  return Object.keys(properties ?? {})
}

const never = () => Promise.reject(new Error('nothing is counted'))
/** Enough hosts that keeping all of their documents would show in the memory. */
const HOSTS = 200
/** Runs in a separate process, where nothing else uses the memory. */
const ASK_BY_MANY_HOSTS = `
import assert from 'node:assert/strict'
import { socketNode } from '../../test/socket-node.ts'
const node = await socketNode()
const ask = async (i) => {
  const { body } = await node.host.inject({ url: '/asyncapi.json', headers: { host: 'h' + i + '.x' } })
  assert.ok(body.includes('"h' + i + '.x"') && !body.includes('"h' + (i - 1) + '.x"'))
  return body.length
}
const usedBytes = async () => {
  for (let i = 0; i < 5; i++) {
    await new Promise(setImmediate)
    gc()
  }
  return process.memoryUsage().arrayBuffers
}
const bytes = await ask(0)
const before = await usedBytes()
for (let i = 1; i <= ${HOSTS}; i++) await ask(i)
console.log(JSON.stringify({ bytes, grownBytes: (await usedBytes()) - before }))
await node.close()
`

const namesToShow = [
  ...operations,
  ...Object.keys(SOCKET_CODES),
  ...SOCKET_CHANNELS.map(({ name }) => name),
]
