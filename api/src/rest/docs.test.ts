// The documentation pages: files to load, their caching, and the parts that need no script.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { funded } from '../../test/funded.ts'
import { emptyIntegratedHost } from '../../test/integrated-node.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

let node: ScenarioNode
before(async () => {
  node = await scenarioNode(funded('ETH-USDC').blocks())
})
after(() => node.close())

const pageAt = async (url: string) => (await node.host.inject(url)).body

/** Returns the targets of a page's elements, as a browser at `base` would request them. */
const pointedAt = (page: string, base: string, element: string) =>
  [...page.matchAll(new RegExp(`<(?:${element})\\s[^>]*(?:href|src)="([^"]+)"`, 'g'))]
    .map(([, link = '']) => new URL(link.replaceAll('&amp;', '&'), `http://x${base}`))
    .filter(({ protocol }) => protocol === 'http:')
    .map(({ pathname, search }) => pathname + search)

describe('GET /docs', () => {
  for (const url of ['/docs', '/docs/', '/docs?x=1'])
    test(`GET /docs at ${url} finds its files, which are immutable at URLs with their hash`, async () => {
      const { statusCode, body, headers } = await node.host.inject(url)
      assert.equal(statusCode, 200)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(String(headers['content-security-policy']), /default-src 'self'/)
      assert.equal(headers['cache-control'], 'no-cache')
      const files = pointedAt(body, url, 'link|script').filter((path) => path.includes('?v='))
      assert.equal(files.length, 3)
      for (const file of files) {
        const answer = await node.host.inject(file)
        assert.equal(answer.statusCode, 200, file)
        assert.match(String(answer.headers['cache-control']), /immutable/)
        assert.match(String(answer.headers['content-type']), /^text\/(css|javascript)/)
        const other = await node.host.inject(file.replace(/v=\w+/, 'v=0'))
        assert.equal(other.headers['cache-control'], 'no-cache', 'of another version')
      }
    })

  test('GET /docs loads no more than it needs: a page, a style, two scripts and the document', async () => {
    const loaded = pointedAt(await pageAt('/docs'), '/docs', 'link|script')
    assert.deepEqual(
      loaded.map((path) => path.split('?')[0]),
      ['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js', '/openapi.json'],
    )
  })

  test('GET /docs lists every operation before any script runs', async () => {
    const page = await pageAt('/docs')
    const { paths = {} } = (await node.get('/openapi.json')).body as { paths: object }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `<b>${method.toUpperCase()}</b> <code>${path}</code>`),
    )
    assert.ok(operations.length > 50)
    assert.deepEqual(
      operations.filter((operation) => !page.includes(operation)),
      [],
    )
  })

  test('GET /docs and /docs/sockets link to each other, and all their links work', async () => {
    for (const [url, other] of [
      ['/docs', '/docs/sockets'],
      ['/docs/', '/docs/sockets'],
      ['/docs/sockets', '/docs'],
    ] as const) {
      const links = pointedAt(await pageAt(url), url, 'a').filter((path) => path !== url)
      assert.ok(links.includes(other), `${url}: ${links.join()}`)
      for (const link of links) assert.equal((await node.host.inject(link)).statusCode, 200, link)
    }
  })

  test('GET /docs names no sockets on the second host, which has none', async () => {
    const host = await emptyIntegratedHost()
    const { body } = await host.inject('/docs')
    assert.ok(!body.includes('sockets'))
    for (const link of pointedAt(body, '/docs', 'a|link|script'))
      assert.equal((await host.inject(link)).statusCode, 200, link)
    await host.close()
  })

  test('GET /docs names the sockets in the document as well', async () => {
    const { info } = (await node.get('/openapi.json')).body as { info: { description: string } }
    const [, pathname = ''] = /Live data.*`(.+?)`/.exec(info.description) ?? []
    assert.equal(pathname, '/docs/sockets')
  })

  test('GET /docs gives no other file', async () => {
    for (const url of ['/docs/index.html', '/docs/../package.json', '/docs/%2e%2e/package.json'])
      assert.equal((await node.host.inject(url)).statusCode, 404, url)
  })

  test('GET /docs resolves each operation on its own, since Swagger UI takes seconds for it', async () => {
    const document = (await node.get('/openapi.json')).body as Record<string, object>
    const resolved = resolveWithPage((await node.host.inject('/docs/start.js')).body, document)
    for (const [path, methods] of Object.entries(document.paths ?? {}))
      for (const method of Object.keys(methods)) {
        const operation = resolved(['paths', path, method])
        assert.ok(operation !== undefined, `${method} ${path}`)
        assert.ok(!JSON.stringify(operation).includes('"$ref"'), `${method} ${path}`)
      }
    assert.equal(JSON.stringify(resolved(['paths', '/nothing', 'get'])), undefined)
  })
})

type Action = (original: undefined, system: object) => (value: unknown) => unknown
type Options = Readonly<{
  plugins: readonly (() => {
    statePlugins: { spec: { wrapActions: Readonly<Record<string, Action>> } }
  })[]
}>

/** Returns the function by which the page's script resolves a path of `document` for Swagger UI. */
function resolveWithPage(script: string, document: object): (path: readonly string[]) => unknown {
  let options: Options | undefined
  const scheme = { matches: false, addEventListener: () => {} }
  runInNewContext(script, {
    URL,
    matchMedia: () => scheme,
    document: {
      currentScript: { src: 'http://x/docs/start.js' },
      documentElement: { classList: { toggle: () => {} } },
    },
    SwaggerUIBundle: (given: Options) => {
      options = given
    },
  })
  const [plugin] = options?.plugins ?? []
  const { requestResolvedSubtree } = plugin?.().statePlugins.spec.wrapActions ?? {}
  assert.ok(requestResolvedSubtree !== undefined)
  const act = requestResolvedSubtree(undefined, {
    specSelectors: { specJson: () => ({ toJS: () => document }) },
    specActions: { updateResolvedSubtree: (_path: unknown, value: unknown) => value },
  })
  return act
}
