import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { answer, answerOnce } from './answer.ts'
import { Encoder } from './encoder.ts'
import { createHost } from './host.ts'
import { type BodySource, type Host, HTML_TYPE } from './host-type.ts'
import { DOCUMENT_CACHE } from './negotiation.ts'
import { Refusal } from './refusals.ts'

type RawAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>

/** Sends an HTTP request and returns the raw answer: no decoding, every header. */
const rawFetch = (
  port: number,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body: Buffer.concat(chunks) })
    })
    sent.on('error', reject).end()
  })

const HEAD = { number: 7, hash: '0x07', seconds: 1, parentHash: '0x06' }
const text = (length: number, fill = 'price') => Buffer.from(fill.repeat(length).slice(0, length))

/** The answers of the routes below, changed by tests. */
const bodies = () => ({ small: text(1024), large: text(1025), huge: text(200_000), clock: 0 })
type Bodies = ReturnType<typeof bodies>

/** Sides of a book, with the time at the end. */
function timedSource(said: Bodies): BodySource {
  let stable = Buffer.alloc(0)
  const read = () => {
    if (!said.large.equals(stable)) stable = said.large
    return Buffer.concat([stable, Buffer.from(`,"time":${said.clock}}`)])
  }
  return { read, stable: () => stable, isTimed: true, head: () => HEAD }
}

function addRoutes(host: Host, said: Bodies): void {
  const hide = { schema: { hide: true } }
  const head = () => HEAD
  for (const name of ['small', 'large', 'huge'] as const)
    host.get(`/${name}`, hide, (request, reply) =>
      answer(request, reply, { read: () => said[name], head }),
    )
  const timed = timedSource(said)
  host.get('/timed', hide, (request, reply) => answer(request, reply, timed))
  const time = { isTimed: true, read: () => Buffer.from(String(said.clock)) }
  host.get('/time', hide, (request, reply) => answer(request, reply, time))
  host.get('/once', hide, (_request, reply) => answerOnce(reply, Buffer.from(said.large), HEAD))
  host.get('/state', hide, (_request, reply) => answerOnce(reply, Buffer.from(said.large)))
  host.get('/own', { ...hide, config: { bucket: 'private' } }, (_request, reply) =>
    answerOnce(reply, Buffer.from(said.large), HEAD),
  )
  host.get('/object', hide, async () => ({ rows: said.large.toString() }))
  const page = Buffer.from(said.huge)
  host.get('/page', hide, (_request, reply) =>
    reply.header('cache-control', DOCUMENT_CACHE).type(HTML_TYPE).send(page),
  )
  host.get('/broken', hide, () => {
    throw new Refusal('INTERNAL_ERROR')
  })
  host.post('/secret', hide, async () => ({ secret: said.large.toString() }))
}

type Fetch = (path: string, headers?: OutgoingHttpHeaders, method?: string) => Promise<RawAnswer>

async function withHost(
  act: (fetch: Fetch, said: Bodies, host: Host) => Promise<void>,
  corsOrigins: readonly string[] = ['*'],
): Promise<void> {
  const rates = { consume: () => Promise.reject(), publicRate: undefined, proxyHops: 0 }
  const freshness = { isBehind: false, ageMs: () => 5 }
  const chain = { number: () => HEAD.number, onMove: () => {} }
  const { host } = await createHost(
    { rates, corsOrigins },
    // Time is frozen, so the budget does not refill.
    { freshness, chain, openApi: {}, encoder: new Encoder(() => 0) },
  )
  const said = bodies()
  addRoutes(host, said)
  await host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = host.addresses() as { port: number }[]
  const port = address?.port ?? 0
  try {
    await act((path, headers, method) => rawFetch(port, path, headers, method), said, host)
  } finally {
    await host.close()
  }
}

const decoded = ({ headers, body }: RawAnswer): Buffer => {
  const coding = headers['content-encoding']
  if (coding === 'br') return brotliDecompressSync(body)
  return coding === 'gzip' ? gunzipSync(body) : body
}

/** Drops headers that differ between two answers to the same request. */
const stable = ({ headers: { date, 'x-request-id': _id, ...headers } }: RawAnswer) => headers

const ENCODINGS = [
  undefined,
  'br',
  'gzip',
  'br;q=0, gzip',
  'identity;q=0, br',
  'zstd',
  'x'.repeat(8192),
]
const CACHED = ['/small', '/large', '/huge', '/timed', '/time']
const ORIGINS = [['*'], ['https://a.example']] as const

type EncodingCase = readonly [url: string, encoding: string | undefined, known: string | undefined]

/** Every URL with every coding and every ETag that a client may have. */
const ASKED: readonly EncodingCase[] = CACHED.flatMap((url) =>
  ENCODINGS.flatMap((encoding) =>
    [undefined, '*', 'W/"other"', 'own'].map((known): EncodingCase => [url, encoding, known]),
  ),
)

/** Requests the routes, the memory, and the routes with HEAD: all must agree. */
async function compare(
  fetch: Fetch,
  { responseCache }: Host,
  [url, encoding, known]: EncodingCase,
) {
  const label = `${url} ${encoding?.slice(0, 20)} ${known}`
  const whole = await fetch(url)
  const etag = known === 'own' ? (whole.headers.etag ?? 'none') : known
  const headers = {
    ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  }
  responseCache.clear()
  const routed = await fetch(url, headers)
  const { hits } = responseCache
  const kept = await fetch(url, headers)
  assert.equal(responseCache.hits, hits + 1, label)
  assert.equal(kept.status, routed.status, label)
  assert.deepEqual(stable(kept), stable(routed), label)
  assert.deepEqual(kept.body, routed.body, label)
  const { 'content-length': length, ...head } = stable(await fetch(url, headers, 'HEAD'))
  const { 'content-length': own, ...got } = stable(kept)
  assert.deepEqual(head, got, `HEAD ${label}`)
  if (kept.status === 304) return
  assert.deepEqual(decoded(kept), whole.body, label)
  assert.equal(length, own, `HEAD ${label}`)
}

function checkUnchanged({ status, headers, body }: RawAnswer, block: string | undefined) {
  assert.deepEqual([status, body.length], [304, 0])
  for (const name of ['etag', 'cache-control', 'vary', 'x-request-id'])
    assert.ok(headers[name], name)
  assert.equal(headers['x-block-number'], block)
  for (const name of ['content-type', 'content-length', 'content-encoding'])
    assert.equal(headers[name], undefined, name)
}

describe('negotiated answers', () => {
  for (const origins of ORIGINS)
    test(`answers are the same from memory as from the routes, origins ${origins}`, () =>
      withHost(async (fetch, _said, host) => {
        for (const asked of ASKED) await compare(fetch, host, asked)
      }, origins))

  test('answers are compressed above 1,024 bytes on request, with Vary', () =>
    withHost(async (fetch) => {
      for (let time = 0; time < 2; time++) {
        const of = async (path: string, encoding: string) => {
          const { headers } = await fetch(path, { 'accept-encoding': encoding })
          assert.equal(headers.vary, 'Accept-Encoding')
          return headers['content-encoding']
        }
        for (const path of [
          '/large',
          '/huge',
          '/timed',
          '/once',
          '/own',
          '/object',
          '/page',
          '/state',
        ]) {
          assert.equal(await of(path, 'gzip, br'), 'br', path)
          assert.equal(await of(path, 'gzip'), 'gzip', path)
          assert.equal(await of(path, 'br;q=0'), undefined, path)
        }
        assert.equal(await of('/small', 'br'), undefined)
        assert.equal(await of('/small', 'br, identity;q=0'), 'br')
      }
      const { headers } = await fetch('/secret', { 'accept-encoding': 'br' }, 'POST')
      assert.equal(headers['content-encoding'], undefined, 'what is posted for may be a secret')
      assert.equal(headers['cache-control'], 'no-store')
    }))

  for (const path of ['/large', '/huge', '/once', '/page'])
    test(`answers are 304 at ${path} while the body is the same, with the newest block`, () =>
      withHost(async (fetch) => {
        const { etag = '' } = (await fetch(path)).headers
        const headers = { 'if-none-match': `"x", ${etag}`, 'accept-encoding': 'br' }
        for (let time = 0; time < 2; time++)
          checkUnchanged(await fetch(path, headers), path === '/page' ? undefined : '7')
      }))

  test('answers are new once the body changed', () =>
    withHost(async (fetch, said) => {
      const { etag } = (await fetch('/large')).headers
      said.large = text(1025, 'other')
      const changed = await fetch('/large', { 'if-none-match': etag, 'accept-encoding': 'gzip' })
      assert.equal(changed.status, 200)
      assert.deepEqual(decoded(changed), said.large)
    }))

  test('answers state who may cache them', () =>
    withHost(async (fetch) => {
      const rule = async (path: string, method?: string) => {
        const { headers } = await fetch(path, { 'if-none-match': '*' }, method)
        return [headers['cache-control'], headers.etag !== undefined]
      }
      for (const path of ['/large', '/once']) assert.deepEqual(await rule(path), ['no-cache', true])
      assert.deepEqual(await rule('/page'), ['public, max-age=900', true])
      for (const path of ['/time', '/timed', '/own', '/state', '/object', '/nothing', '/broken'])
        for (let time = 0; time < 2; time++)
          assert.deepEqual(await rule(path), ['no-store', false], path)
      assert.deepEqual(await rule('/large', 'POST'), ['no-store', false])
    }))

  test('answers name the coding beside the origin in Vary where origins are listed', () =>
    withHost(
      async (fetch) => {
        for (const headers of [{}, { origin: 'https://a.example' }, {}]) {
          const { vary } = (await fetch('/large', headers)).headers
          assert.equal(vary, 'Origin, Accept-Encoding')
        }
      },
      ['https://a.example'],
    ))

  test('answers to a range request are whole', () =>
    withHost(async (fetch) => {
      for (let time = 0; time < 2; time++) {
        const { status, body } = await fetch('/large', { range: 'bytes=0-9' })
        assert.deepEqual([status, body.length], [200, 1025])
      }
    }))

  test('answers let a page read the ETag, and repeat its preflight every two hours at most', () =>
    withHost(async (fetch) => {
      const asked = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
      const { headers } = await fetch('/large', asked, 'OPTIONS')
      assert.equal(headers['access-control-max-age'], '7200')
      const exposed = (await fetch('/large', asked)).headers['access-control-expose-headers']
      assert.match(String(exposed), /\bETag\b/)
    }))
})

describe('bodies that change', () => {
  test('bodies that change are sent as they were read, whatever changes while they are compressed', () =>
    withHost(async (fetch, said) => {
      await fetch('/huge')
      const before = said.huge
      const asked = ['br', 'gzip', 'br'].map((coding) =>
        fetch('/huge', { 'accept-encoding': coding }),
      )
      const changing = setInterval(() => {
        said.huge = text(200_000 + said.clock++, 'changed')
      }, 1)
      const sent = new Set<string>()
      for (let i = 0; i < 50; i++) {
        const got = await fetch('/huge', { 'accept-encoding': i % 2 === 0 ? 'br' : 'gzip' })
        assert.match(decoded(got).toString(), /^((price)+|(changed)+)\w{0,6}$/)
        sent.add(got.headers.etag ?? '')
      }
      clearInterval(changing)
      for (const got of await Promise.all(asked))
        assert.equal(decoded(got).length >= before.length, true)
      assert.ok(sent.size > 10, `${sent.size} bodies were sent`)
    }))

  test('bodies with the time at their end are compressed once a change, not once a time', () =>
    withHost(async (fetch, said, { encoder }) => {
      await fetch('/timed')
      for (const coding of ['br', 'gzip']) await fetch('/timed', { 'accept-encoding': coding })
      const before = encoder.bytes
      for (let i = 0; i < 20; i++) {
        said.clock++
        const got = await fetch('/timed', { 'accept-encoding': i % 2 === 0 ? 'br' : 'gzip' })
        assert.equal(decoded(got).toString(), `${said.large},"time":${said.clock}}`)
      }
      assert.equal(encoder.bytes, before)
    }))
})

describe('bounds of compression and caching', () => {
  test('the memory bound counts what clients make the host compress, and unused URLs are evicted', () =>
    withHost(async (fetch, said, { responseCache }) => {
      await fetch('/huge')
      for (const coding of ['br', 'gzip', 'br', 'gzip'])
        await fetch('/huge', { 'accept-encoding': coding })
      const kept = responseCache.bytes
      assert.ok(kept > said.huge.length && kept < said.huge.length * 2, `${kept} bytes`)
      said.huge = text(300_000)
      await fetch('/huge')
      assert.equal(responseCache.bytes, 300_000, 'the codings went with their body')
      for (let i = 0; i < 600; i++)
        await fetch(`/huge?${i}`, { 'accept-encoding': i % 2 === 0 ? 'br' : 'gzip' })
      assert.ok(responseCache.bytes <= 64 * 1024 * 1024, `${responseCache.bytes} bytes`)
      assert.ok(responseCache.size < 512)
    }))

  test('a compressed body is made once for all clients, and raw once the budget is spent', () =>
    withHost(async (fetch, said, { encoder }) => {
      await fetch('/huge')
      const ask = () => fetch('/huge', { 'accept-encoding': 'br' })
      await Promise.all(Array.from({ length: 20 }, ask))
      assert.equal(encoder.bytes, said.huge.length)
      for (let time = 0; time < 3; time++) await fetch('/page', { 'accept-encoding': 'br' })
      assert.equal(encoder.bytes, 2 * said.huge.length)
      let spent = 0
      while (encoder.encode(said.huge, 'gzip', 'live') !== undefined) spent++
      assert.ok(spent > 100)
      said.huge = text(1024 * 1024)
      const raw = await ask()
      assert.equal(raw.headers['content-encoding'], undefined)
      assert.deepEqual(raw.body, said.huge)
    }))
})
