// The description of the sockets: whole, of one piece, and the one that is committed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import {
  SOCKET_CODES,
  SOCKET_OPERATIONS,
  SOCKET_REPLIES,
  SocketFailure,
} from '@openvenue/wire/socket'
import { frameSchema, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { Compile } from 'typebox/schema'
import { ALICE, type SocketNode, socketNode } from '../../test/socket-node.ts'
import { ASYNCAPI_FILE, asyncApiDocument, asyncApiText } from './asyncapi.ts'

type Document = Readonly<{
  asyncapi: string
  channels: Readonly<Record<string, { address: string; messages: Record<string, object> }>>
  operations: Readonly<Record<string, { action: string; channel: { $ref: string } }>>
}>

const document = JSON.parse(JSON.stringify(asyncApiDocument())) as Document
const operations = Object.keys(SOCKET_OPERATIONS) as (keyof typeof SOCKET_OPERATIONS)[]

/** Every `$ref` in a value. */
const refsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(refsOf)]
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

  test('is the one in docs', () => {
    assert.equal(readFileSync(ASYNCAPI_FILE, 'utf8'), asyncApiText())
  })

  test('is served as JSON', async () => {
    const response = await node.get('/asyncapi.json')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await response.json(), document)
  })

  test('points at nothing that is not in it', () => {
    const refs = refsOf(document)
    assert.ok(refs.length > 50)
    assert.deepEqual(
      refs.filter((ref) => resolved(ref) === undefined),
      [],
    )
  })

  test('has every channel and every operation once', () => {
    assert.equal(document.asyncapi, '3.0.0')
    const addresses = Object.values(document.channels).map(({ address }) => address)
    assert.deepEqual(addresses, ['message', ...SOCKET_CHANNELS.map(({ name }) => name)])
    for (const op of operations) assert.equal(document.operations[op]?.action, 'receive')
  })

  test('is what the server answers', async () => {
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
    for (const op of [...operations, 'unsubscribe'] as const) {
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

  test('gives each channel a schema that refuses what is no message', () => {
    for (const channel of SOCKET_CHANNELS)
      assert.equal(Compile(frameSchema(channel)).Check({ channel: 'x', data: {} }), false)
  })

  test('is a page that names every operation, channel and code', async () => {
    const response = await node.get('/docs/sockets')
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const page = await response.text()
    for (const name of namesToShow) assert.ok(page.includes(`<code>${name}</code>`), name)
  })

  test('is described in docs/SOCKETS.md', () => {
    const text = readFileSync(new URL('../../../docs/SOCKETS.md', import.meta.url), 'utf8')
    for (const name of namesToShow) assert.ok(text.includes(`\`${name}\``), name)
  })
})

const namesToShow = [
  ...operations,
  ...Object.keys(SOCKET_CODES),
  ...SOCKET_CHANNELS.map(({ name }) => name),
]
