// The home page of a node: links from the base URL.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

let node: ScenarioNode
before(async () => {
  node = await scenarioNode(funded('ETH-USDC').blocks())
})
after(() => node.close())

/** Returns the links and sources of a page, as a browser at `base` would request them. */
const findLinks = (page: string, base: string) =>
  [...page.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link, `http://x${base}`))
    .filter(({ protocol }) => protocol === 'http:')
    .map(({ pathname }) => pathname)

describe('GET /', () => {
  test('GET / is a page for a browser, whose links all lead somewhere', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const { statusCode, body, headers: sent } = await node.host.inject({ url: '/', headers })
    assert.equal(statusCode, 200)
    assert.match(String(sent['content-type']), /^text\/html/)
    assert.equal(sent.vary, 'Accept, Accept-Encoding')
    const links = findLinks(body, '/')
    for (const link of ['/docs', '/info', '/openapi.json', '/markets', '/metrics'])
      assert.ok(links.includes(link), link)
    for (const url of links) assert.equal((await node.host.inject(url)).statusCode, 200, url)
  })

  test('GET / is JSON for everyone else, with the same links', async () => {
    const { status, body } = await node.get('/')
    assert.equal(status, 200)
    const { name, network, links } = body as Record<string, unknown>
    assert.deepEqual([name, network], ['openvenue', 'test'])
    for (const url of Object.values(links as Record<string, string>))
      assert.equal((await node.host.inject(url)).statusCode, 200, url)
  })

  for (const accept of ['text/html', 'application/json'])
    test(`GET / is compressed, cached and revalidated as ${accept}`, async () => {
      const headers = { accept, 'accept-encoding': 'br, identity;q=0' }
      const { headers: sent } = await node.host.inject({ url: '/', headers })
      assert.equal(sent['content-encoding'], 'br')
      assert.equal(sent['cache-control'], 'no-cache')
      const known = { ...headers, 'if-none-match': String(sent.etag) }
      const again = await node.host.inject({ url: '/', headers: known })
      assert.deepEqual([again.statusCode, again.body], [304, ''])
    })
})
