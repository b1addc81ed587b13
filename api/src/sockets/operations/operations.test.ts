// Every operation and every way to refuse one, over each transport.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Problem } from '@openvenue/wire/field'
import { SOCKET_CODES, type SocketCode } from '@openvenue/wire/socket'
import { SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import { type Frame, TRANSPORTS } from '../../../test/socket-client.ts'
import { ALICE, type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { message, TestChannels } from '../../../test/test-channels.ts'
import { MESSAGE_BYTES_MAX, NESTING_MAX, QUEUE_MAX } from '../session/socket-limits.ts'

/** The body of a refusal. */
const refused = (code: SocketCode, more: object = {}) => ({
  data: { success: false, code, message: SOCKET_CODES[code] },
  error: code,
  ...more,
})

type Page = Readonly<{ next?: string }>

for (const transport of TRANSPORTS)
  describe(`operations over ${transport}`, () => {
    let node: SocketNode
    before(async () => {
      node = await socketNode()
    })
    after(() => node.close())
    const connected = () => node.connect(transport)

    test('a subscription is answered first, then has its snapshot, then what is published', async () => {
      const client = await connected()
      assert.deepEqual(await client.ask('subscribe', ['wall']), { id: 1, data: ['wall'] })
      assert.deepEqual(await client.next(), { channel: 'wall', seq: 0, data: 'snapshot' })
      node.channels.publish('wall', 'hello')
      assert.deepEqual(await client.next(), { channel: 'wall', seq: 1, data: 'hello' })
    })

    test('an operation may come as JSON text, and without an id', async () => {
      const client = await connected()
      client.send('{"op":"status"}')
      assert.deepEqual(await client.next(), {
        data: { account: null, subscriptions: [], trading: 'live' },
      })
    })

    test('an id is echoed unchanged, whether an integer or a text', async () => {
      const client = await connected()
      for (const id of [0, -7, 2 ** 53 - 1, 'a text']) {
        client.send({ op: 'status', id })
        assert.equal((await client.next()).id, id)
      }
    })

    test('channels returns all names, and status the identity and the subscriptions', async () => {
      const client = await connected()
      const names = ['fills', 'mine', 'news', 'orderbook:X', 'wall']
      assert.deepEqual((await client.ask('channels')).data, names)
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      await client.ask('subscribe', ['wall', 'mine'])
      const status = { account: ALICE, subscriptions: ['wall', 'mine'], trading: 'live' }
      assert.deepEqual((await client.ask('status')).data, status)
    })

    test('channels returns a page, and names with a prefix', async () => {
      const client = await connected()
      const { data, next } = (await client.ask('channels', { prefix: 'm' })) as Frame & Page
      assert.deepEqual([data, next], [['mine'], undefined])
      const after = await client.ask('channels', { after: 'mine' })
      assert.deepEqual(after.data, ['news', 'orderbook:X', 'wall'])
      assert.equal((await client.ask('channels', { prefix: 1 })).error, 'INVALID_MESSAGE')
    })

    test('ping gives the time in nanoseconds', async () => {
      const client = await connected()
      node.clock.stepMs = 1_700_000_000_123
      const { data } = await client.ask('ping')
      node.clock.stepMs = 0
      assert.deepEqual(data, { success: true, timestamp: '1700000000123000000' })
    })

    test('one subscribe separates accepted channels from refused ones', async () => {
      const client = await connected()
      const reply = await client.ask('subscribe', ['nothing', 'wall', 'mine'])
      const rejected = [
        { channel: 'nothing', code: 'CHANNEL_NOT_FOUND' },
        { channel: 'mine', code: 'AUTH_REQUIRED' },
      ]
      assert.deepEqual(reply, { id: 1, data: ['wall'], rejected })
    })

    test('a private channel without identity is refused with AUTH_REQUIRED', async () => {
      const client = await connected()
      const rejected = [{ channel: 'mine', code: 'AUTH_REQUIRED' }]
      const reply = await client.ask('subscribe', ['mine'])
      assert.deepEqual(reply, refused('AUTH_REQUIRED', { id: 1, rejected }))
    })

    test('subscribing again succeeds and changes nothing', async () => {
      const client = await connected()
      await client.ask('subscribe', ['wall', 'wall'])
      await client.next()
      assert.deepEqual((await client.ask('subscribe', ['wall'])).data, ['wall'])
      node.channels.publish('wall', 'once')
      assert.equal((await client.next()).data, 'once')
      await client.ask('ping')
      assert.equal(client.frames.filter(({ data }) => data === 'once').length, 1)
    })

    test('unsubscribe stops the channel; what was not subscribed is named', async () => {
      const client = await connected()
      await client.ask('subscribe', ['wall'])
      await client.next()
      const reply = await client.ask('unsubscribe', ['wall', 'orderbook:X', 'nothing'])
      const rejected = [
        { channel: 'orderbook:X', code: 'NOT_SUBSCRIBED' },
        { channel: 'nothing', code: 'CHANNEL_NOT_FOUND' },
      ]
      assert.deepEqual(reply, { id: 2, data: ['wall'], rejected })
      node.channels.publish('wall', 'unheard')
      assert.deepEqual((await client.ask('status')).data.subscriptions, [])
      assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
    })

    test('resync gives a fresh snapshot of a subscribed channel', async () => {
      const client = await connected()
      await client.ask('subscribe', ['wall'])
      await client.next()
      node.channels.publish('wall', 'more')
      await client.next()
      const reply = await client.ask('resync', { channel: 'wall' })
      assert.deepEqual(reply, { id: 2, data: { success: true, channel: 'wall' } })
      assert.equal((await client.next()).data, 'snapshot')
      node.channels.publish('wall', 'after')
      assert.equal((await client.next()).data, 'after')
      const other = await client.ask('resync', { channel: 'orderbook:X' })
      assert.deepEqual(other, refused('NOT_SUBSCRIBED', { id: 3 }))
      const none = await client.ask('resync', { channel: 'nothing' })
      assert.deepEqual(none, refused('CHANNEL_NOT_FOUND', { id: 4 }))
    })

    test('from_seq returns the messages after it, or a snapshot when they are no longer kept', async () => {
      const client = await connected()
      node.channels.held = [message('wall', 5, 'five'), message('wall', 6, 'six')]
      await client.ask('subscribe', [{ channel: 'wall', from_seq: 5 }])
      assert.equal((await client.next()).data, 'six')
      node.channels.held = undefined
      await client.ask('unsubscribe', ['wall'])
      await client.ask('subscribe', [{ channel: 'wall', from_seq: 5 }])
      assert.equal((await client.next()).data, 'snapshot')
    })

    test('logout takes the identity and the private channels, not the others', async () => {
      const client = await connected()
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      await client.ask('subscribe', ['wall', 'mine'])
      assert.deepEqual((await client.ask('logout')).data, { success: true })
      const status = { account: null, subscriptions: ['wall'], trading: 'live' }
      assert.deepEqual((await client.ask('status')).data, status)
    })

    for (const op of Object.keys(SOCKET_SCOPES))
      test(`${op} needs an API key, and is refused as REST refuses`, async () => {
        const client = await connected()
        const { data, request_id, ...reply } = (await client.ask(op, {})) as Frame & Problem
        const message = 'Authentication required: order operations need an API key'
        assert.deepEqual(reply, { id: 1, error: 'AUTH_REQUIRED', message })
        assert.deepEqual(data, { success: false, code: 'AUTH_REQUIRED', message })
        assert.match(request_id, /^[\w-]+$/)
      })

    for (const op of ['create_orders', 'toString', ''])
      test(`there is no operation "${op}"`, async () => {
        const client = await connected()
        assert.deepEqual(await client.ask(op, {}), refused('INVALID_OP', { id: 1 }))
      })

    const nested = JSON.parse('['.repeat(NESTING_MAX) + ']'.repeat(NESTING_MAX))
    const MALFORMED: readonly [string, unknown, RegExp][] = [
      ['text that is not JSON', '{', /^message is invalid: expected JSON$/],
      ['a number', '1', /: got 1, expected a JSON object /],
      ['null', 'null', /: got null, expected a JSON object /],
      ['an array', [], /: got a list of 0, expected a JSON object /],
      ['no op', {}, /^op is invalid: expected the name of an operation$/],
      ['an op that is not text', { op: 1 }, /^op is invalid: got 1, expected /],
      [
        'an id that is not an integer',
        { op: 'ping', id: 1.5 },
        /^id is invalid: got 1.5, expected /,
      ],
      [
        'an id beyond what can be echoed',
        '{"op":"ping","id":9007199254740993}',
        /^id is invalid: got 9007199254740992, expected /,
      ],
      [
        'a long id',
        { op: 'ping', id: 'x'.repeat(65) },
        /got "x+…" \(65 characters\), expected .* 64 characters$/,
      ],
      ['a deep value', { op: 'ping', data: nested }, /at most 16 levels/],
      [
        'channels that are not an array',
        { op: 'subscribe', data: 'wall' },
        /got "wall", expected an array of at most 1000 channels$/,
      ],
      [
        'a thousand channels and one',
        { op: 'subscribe', data: Array.from({ length: 1001 }, () => 'wall') },
        /got a list of 1001, expected an array of at most 1000 channels$/,
      ],
      [
        'a thousand channels and one to leave',
        { op: 'unsubscribe', data: Array.from({ length: 1001 }, () => 'wall') },
        /got a list of 1001, expected an array of at most 1000 channels$/,
      ],
      [
        'a channel that is not a name',
        { op: 'subscribe', data: [1] },
        /^channel is invalid: got 1, expected /,
      ],
      [
        'a long name',
        { op: 'subscribe', data: ['x'.repeat(129)] },
        /got "x+…" \(129 characters\), expected .* 128 characters$/,
      ],
      ['no data', { op: 'unsubscribe' }, /array of at most 1000 channels/],
      ['resync of nothing', { op: 'resync' }, /^channel is invalid: expected /],
      [
        'a negative from_seq',
        { op: 'subscribe', data: [{ channel: 'wall', from_seq: -1 }] },
        /^from_seq is invalid: got -1, expected an integer of at least 0$/,
      ],
      [
        'a from_seq as text',
        { op: 'subscribe', data: [{ channel: 'wall', from_seq: '1' }] },
        /^from_seq is invalid: got "1", expected an integer of at least 0$/,
      ],
      [
        'a snapshot that is neither true nor false',
        { op: 'subscribe', data: [{ channel: 'wall', snapshot: 'no' }] },
        /^snapshot is invalid: got "no", expected true or false$/,
      ],
    ]
    for (const [what, sent, rule] of MALFORMED)
      test(`${what} is refused with the rule that should hold`, async () => {
        const client = await connected()
        client.send(sent)
        const { error, data } = await client.next()
        assert.equal(error, 'INVALID_MESSAGE')
        assert.equal(data.code, 'INVALID_MESSAGE')
        assert.equal(data.success, false)
        assert.match(data.message, rule)
      })

    test('the deepest legal nesting and the longest legal name are accepted', async () => {
      const client = await connected()
      client.send({ op: 'ping', id: 'x'.repeat(64), data: nested[0] })
      assert.equal((await client.next()).data.success, true)
      assert.equal((await client.ask('subscribe', ['x'.repeat(128)])).error, 'CHANNEL_NOT_FOUND')
    })

    test('a message that is too large ends the connection', async () => {
      const client = await connected()
      client.send({ op: 'ping', data: 'x'.repeat(MESSAGE_BYTES_MAX) })
      await client.ended
      assert.equal(client.frames.length, 0)
    })

    test('twenty operations a second are answered, more are refused; a ping is never', async () => {
      const client = await connected()
      const replies: Promise<Frame>[] = []
      for (let count = 0; count < 20; count++) replies.push(client.ask('status'))
      for (const reply of await Promise.all(replies)) assert.equal(reply.error, undefined)
      const { error, data } = await client.ask('status')
      assert.equal(error, 'RATE_LIMIT_EXCEEDED')
      assert.equal(data.retryAfterMs, 1000)
      client.send('{')
      assert.equal((await client.next()).error, 'INVALID_MESSAGE')
      assert.equal((await client.ask('ping')).data.success, true)
      node.clock.nowMs += 1000
      assert.equal((await client.ask('status')).error, undefined)
    })

    test('fifty channels count as one operation, and a thousand as all of a second', async () => {
      const client = await connected()
      const many = Array.from({ length: 1000 }, (_, index) => `none ${index}`)
      const nineteen = many.slice(0, 950)
      assert.equal((await client.ask('subscribe', nineteen)).error, 'CHANNEL_NOT_FOUND')
      assert.equal((await client.ask('status')).error, undefined)
      assert.equal((await client.ask('status')).error, 'RATE_LIMIT_EXCEEDED')
      node.clock.nowMs += 1000
      assert.equal((await client.ask('subscribe', many)).error, 'CHANNEL_NOT_FOUND')
      assert.equal((await client.ask('status')).error, 'RATE_LIMIT_EXCEEDED')
    })

    test('operations are answered in their order, whatever one of them waits for', async () => {
      const client = await connected()
      const admission = Promise.withResolvers<void>()
      node.keys.before = admission.promise
      const auth = client.ask('auth', node.keys.issue(ALICE, 'd'))
      client.send({ op: 'subscribe', id: 'later', data: ['mine'] })
      for (let count = 0; count < QUEUE_MAX; count++) client.send({ op: 'ping', id: `p${count}` })
      const full = await client.next(({ error }) => error === 'RATE_LIMIT_EXCEEDED')
      assert.equal(full.id, `p${QUEUE_MAX - 1}`)
      admission.resolve()
      assert.equal((await auth).data.success, true)
      assert.deepEqual(await client.next(), { id: 'later', data: ['mine'] })
      node.keys.before = Promise.resolve()
    })

    test('a channel that fails is reported, logged, and does not end the connection', async () => {
      const client = await connected()
      node.channels.broken.add('orderbook:X')
      const reply = await client.ask('subscribe', ['orderbook:X'])
      assert.equal(reply.error, 'CHANNEL_UNAVAILABLE')
      node.channels.broken.clear()
      const { snapshot } = node.channels
      for (const failing of [
        () => Promise.reject(new Error('no database')),
        () => {
          throw new Error('no snapshot')
        },
      ]) {
        node.channels.snapshot = failing
        assert.deepEqual((await client.ask('subscribe', ['orderbook:X'])).data, ['orderbook:X'])
        const failure = await client.next()
        assert.deepEqual(failure, refused('CHANNEL_UNAVAILABLE', { channel: 'orderbook:X' }))
        assert.deepEqual((await client.ask('status')).data.subscriptions, [])
      }
      node.channels.snapshot = snapshot
    })
  })

describe('Socket.IO', () => {
  test('an event of another name is refused', async () => {
    const node = await socketNode()
    const { io } = await import('socket.io-client')
    const socket = io(node.url, { transports: ['websocket'], reconnection: false })
    const reply = new Promise<string>((resolve) => socket.on('message', resolve))
    socket.emit('subscribe', ['wall'])
    assert.equal(JSON.parse(await reply).error, 'INVALID_MESSAGE')
    socket.disconnect()
    await node.close()
  })

  test('no client library is served', async () => {
    const node = await socketNode()
    assert.notEqual((await node.get('/socket.io/socket.io.js')).status, 200)
    await node.close()
  })
})

test('channels of many markets come in pages, none of them larger than the first', async () => {
  const names = Array.from(
    { length: 6_001 },
    (_, index) => `wall-${String(index).padStart(4, '0')}`,
  )
  const node = await socketNode({ host: { channels: new TestChannels(names) } })
  const client = await node.connect('websocket')
  const found: string[] = []
  let after: string | undefined
  do {
    const page = (await client.ask('channels', after === undefined ? {} : { after })) as Frame &
      Page
    assert.ok(page.data.length <= 1_000)
    found.push(...page.data)
    after = page.next
  } while (after !== undefined)
  assert.deepEqual(found, ['fills', 'mine', ...names])
  await node.close()
})
