import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const PUBLIC = 'public, max-age=900'
const REVALIDATED = 'no-cache'
const IMMUTABLE = /^public, max-age=\d+, immutable$/
const DOCUMENTS: readonly (readonly [url: string, cacheControl: string])[] = [
  ['/openapi.json', PUBLIC],
  ['/abi/spot.json', PUBLIC],
  ['/errors', PUBLIC],
  ['/llms.txt', PUBLIC],
  ['/llms-full.txt', PUBLIC],
  ['/docs.md', PUBLIC],
  ['/postman.json', PUBLIC],
  ['/arazzo.json', PUBLIC],
  ['/docs/KEYS.md', PUBLIC],
  ['/docs/sockets.md', PUBLIC],
  ['/docs/reference/orders.md', PUBLIC],
  ['/asyncapi.json', 'private, no-cache'],
  ['/info', REVALIDATED],
  ['/docs', REVALIDATED],
  ['/docs/sockets', REVALIDATED],
]

describe('documents', () => {
  let node: ScenarioNode
  before(async () => {
    node = await scenarioNode(randomScenario(7, 50))
  })
  after(() => node.close())

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    node.host.inject({ url, headers })

  for (const [url, cacheControl] of DOCUMENTS)
    test(`${url} is compressed once, and 304 for a client that has it`, async () => {
      const plain = await get(url)
      assert.equal(plain.headers['cache-control'], cacheControl)
      const etag = String(plain.headers.etag)
      const br = await get(url, { 'accept-encoding': 'br' })
      assert.equal(br.headers['content-encoding'], 'br')
      assert.deepEqual(brotliDecompressSync(br.rawPayload), plain.rawPayload)
      const gzip = await get(url, { 'accept-encoding': 'gzip' })
      assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload)
      const { bytes } = node.host.encoder
      await get(url, { 'accept-encoding': 'br' })
      await get(url, { 'accept-encoding': 'gzip' })
      assert.equal(node.host.encoder.bytes, bytes, 'nothing is compressed again')
      const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': etag })
      assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
      assert.equal(again.headers['cache-control'], cacheControl)
    })

  test('the files of /docs are named by their content, and may be cached without limit', async () => {
    const { body } = await get('/docs')
    const files = [...body.matchAll(/(?:src|href)="(?:\.\/)?(docs\/[^"]+\?v=\w+)"/g)]
    assert.ok(files.length > 1)
    for (const [, file = ''] of files) {
      const { headers, statusCode } = await get(`/${file}`, { 'accept-encoding': 'br' })
      assert.equal(statusCode, 200, file)
      assert.match(String(headers['cache-control']), IMMUTABLE)
      assert.equal(headers['content-encoding'], 'br')
    }
  })
})
