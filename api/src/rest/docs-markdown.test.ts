// The documentation as Markdown: complete, with working links, and nothing else.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { documentText, integratedDocumentText } from '../../scripts/openapi-document.ts'
import { llmsOf } from '../../scripts/site/llms.ts'
import { siteFiles } from '../../scripts/site/site-files.ts'
import { type Document, listOperations } from '../../test/described.ts'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { DOCS } from './docs-files.ts'
import { relink } from './guides.ts'

let node: ScenarioNode
let document: Document
before(async () => {
  node = await scenarioNode(funded('ETH-USDC').blocks())
  document = JSON.parse(await documentText()) as Document
})
after(() => node.close())

const GUIDES = readdirSync(DOCS).filter((file) => file.endsWith('.md'))

/** Returns the relative links of a text as paths of the host, ignoring fenced code. */
function linksOf(text: string, url: string): readonly string[] {
  const open = text.replaceAll(/^```.*?^```$/gms, '')
  return [...open.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => new URL(target, `http://x${url}`))
    .filter(({ host }) => host === 'x')
    .map(({ pathname }) => pathname)
}

async function textAt(url: string): Promise<string> {
  const { statusCode, body } = await node.host.inject(url)
  assert.equal(statusCode, 200, url)
  return body
}

const readDocs = (path: string) => readFileSync(new URL(path, DOCS), 'utf8')

describe('the built pages', () => {
  test('the built pages are those of a fresh build (node api/scripts/write-openapi.ts)', async () => {
    const integrated = JSON.parse(await integratedDocumentText()) as object
    const built = siteFiles(document, integrated)
    const stale = [...built].filter(([path, text]) => readDocs(path) !== text)
    assert.deepEqual(
      stale.map(([path]) => path),
      [],
    )
    const files = ['site', 'site/reference'].flatMap((folder) =>
      readdirSync(new URL(folder, DOCS), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `${folder}/${name}`),
    )
    assert.deepEqual(files.sort(), [...built.keys()].sort())
  })
})

describe('llms.txt', () => {
  test('llms.txt is made of the documents, and the committed copy is fresh (node api/scripts/write-openapi.ts)', async () => {
    const copy = readDocs('llms.txt')
    assert.ok(copy === llmsOf(document), 'the copy is old')
    assert.equal(await textAt('/llms.txt'), copy)
  })

  test('llms.txt begins with a name and a summary, and lists links with a line about each', async () => {
    const [title, , summary, ...rest] = (await textAt('/llms.txt')).split('\n')
    assert.deepEqual([title, summary?.slice(0, 2)], ['# openvenue', '> '])
    const items = rest.filter((line) => line.startsWith('- '))
    for (const item of items) assert.match(item, /^- \[[^\]]+\]\([^)]+\): [A-Z`].*\.$/)
    assert.ok(items.length > 20)
  })

  test('llms.txt leads to every guide, and to every endpoint', async () => {
    const links = new Set(linksOf(await textAt('/llms.txt'), '/llms.txt'))
    const missing = GUIDES.filter((file) => !links.has(`/docs/${file}`))
    assert.deepEqual(missing, [])
    const pages = await Promise.all([...links].filter((url) => /reference/.test(url)).map(textAt))
    const text = pages.join('\n')
    for (const { named } of listOperations(document))
      assert.ok(text.includes(`\n## ${named}\n`), named)
  })

  test('llms.txt has a full form with the guides for traders', async () => {
    const text = await textAt('/llms-full.txt')
    for (const title of ['# A bot, from nothing', '# Keys', '# Sockets', '# The protocol'])
      assert.ok(text.includes(`\n${title}\n`), title)
    assert.ok(!text.includes('\n# Architecture\n'))
  })
})

describe('pages of Markdown', () => {
  test('pages of Markdown have links that all lead somewhere', async () => {
    const seen = new Set<string>()
    const left = ['/llms.txt', '/llms-full.txt']
    for (let url = left.pop(); url !== undefined; url = left.pop()) {
      if (seen.has(url)) continue
      seen.add(url)
      const { statusCode, headers, body } = await node.host.inject(url)
      assert.equal(statusCode, 200, url)
      if (!url.endsWith('.md') && !url.endsWith('.txt')) continue
      assert.match(String(headers['content-type']), /^text\/(markdown|plain); charset=utf-8$/)
      assert.equal(/^text\/markdown/.test(String(headers['content-type'])), url.endsWith('.md'))
      left.push(...linksOf(body, url))
    }
    assert.ok(seen.size > GUIDES.length + 15, `${seen.size} pages`)
  })

  test('pages of an endpoint list its parameters, body, answer and codes', async () => {
    const text = await textAt('/docs/reference/orders.md')
    const [, section = ''] = text.split('\n## POST /orders/preview\n')
    const [own = ''] = section.split('\n## ')
    assert.match(own, /\| `limit_price` \| string or integer/)
    assert.match(own, /\| `is_accepted` \| boolean/)
    assert.match(own, /400 .*`INVALID_PRICE_STEP_SIZE`/)
    assert.ok(!text.includes('$ref') && !text.includes('undefined'))
  })

  test('pages of Markdown show each shape that they name, on the same page', async () => {
    for (const tag of document.tags) {
      const url = `/docs/reference/${tag.name.toLowerCase().replaceAll(' ', '-')}.md`
      const text = await textAt(url)
      for (const name of Object.keys(document.components.schemas))
        if (new RegExp(`\\| (array of )?${name}( or null)?(, optional)? \\|`).test(text))
          assert.ok(text.includes(`\n### ${name}\n`), `${url}: ${name}`)
    }
  })

  test('pages of Markdown list every code with the required action', async () => {
    const text = await textAt('/docs/errors.md')
    assert.match(text, /\| `POST_ONLY_CROSS` \| 400 \| .* \| change \| Send the nearest price/)
  })

  test('only pages of Markdown are served: any other name is 404 with the existing names', async () => {
    for (const url of [
      '/docs/NOTHING.md',
      '/docs/keys.md',
      '/docs/openapi.json',
      '/docs/..%2fpackage.json',
      '/docs/..%2fREADME.md',
      '/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/docs/decisions%2f0043-the-page-of-the-interface.md',
      '/docs/reference/..%2fKEYS.md',
      '/docs/KEYS.md%00.json',
      '/docs/constructor',
      '/docs/__proto__',
    ]) {
      const { status, body } = await node.get(url)
      const { error, details = [] } = body as { error: string; details?: { allowed: string[] }[] }
      assert.deepEqual([status, error], [404, 'DOCUMENT_NOT_FOUND'], url)
      assert.ok((details[0]?.allowed.length ?? 0) > 10, url)
    }
    for (const url of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/a/b.md'])
      assert.equal((await node.get(url)).status, 404, url)
  })

  test('pages of Markdown name the page of another case as the nearest', async () => {
    const { body } = await node.get('/docs/keys.md')
    const { details } = body as { details: { nearest: string }[] }
    assert.equal(details[0]?.nearest, 'KEYS.md')
  })

  test('links to anything that is not served are reduced to their words, except in code', () => {
    const known = new Set(['KEYS.md'])
    const text =
      '[a](KEYS.md#x) [b](../src/b.ts) [c](#c) [d](https://d.org)\n```\n[b](../b)\n```\n[e](e)'
    const relinked = '[a](KEYS.md#x) b [c](#c) [d](https://d.org)\n```\n[b](../b)\n```\ne'
    assert.equal(relink(text, known), relinked)
  })
})
