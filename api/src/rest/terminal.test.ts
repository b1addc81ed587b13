// The terminal as served by a node: its files, their caching, and its permissions.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { NOTHING_PUBLISHED } from './published.ts'
import { readTerminal } from './terminal-files.ts'

const PAGE = '<!doctype html><title>openvenue</title><script src="./assets/index-1.js"></script>'
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`
const AS_PERSON = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const FOR_EVER = 'public, max-age=31536000, immutable'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Writes a page in the layout of the build. */
function builtPage(config = '{ "apiUrl": "" }'): string {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-page-'))
  folders.push(folder)
  mkdirSync(join(folder, 'assets'))
  const files = {
    'index.html': PAGE,
    'config.json': config,
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.built': 'hash',
    'assets/index-1.js': SCRIPT,
    'assets/index-1.css': 'body{}',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const FAUCET = 'https://faucet.example/'
const RPC_URL = 'https://node.example/key'

const nodeWith = (folder: string) =>
  scenarioNode(funded('ETH-USDC').blocks(), undefined, {
    terminal: readTerminal(folder),
    published: { ...NOTHING_PUBLISHED, rpcUrls: [RPC_URL] },
  })

describe('a node with the terminal', () => {
  let node: ScenarioNode
  before(async () => {
    const folder = builtPage()
    symlinkSync('/etc/hostname', join(folder, 'assets/outside.txt'))
    node = await nodeWith(folder)
  })
  after(() => node.close())

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    node.host.inject({ url, headers })

  test('a node with the terminal answers / with the page for a person, which is revalidated each time', async () => {
    const { statusCode, body, headers } = await get('/', AS_PERSON)
    assert.deepEqual([statusCode, body], [200, PAGE])
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers.vary, 'Accept, Accept-Encoding')
    const known = { ...AS_PERSON, 'if-none-match': String(headers.etag) }
    assert.equal((await get('/', known)).statusCode, 304)
    assert.equal((await get('/?market=ETH-USDC', AS_PERSON)).body, PAGE)
  })

  test('a node with the terminal answers / with JSON for a program, and has the links at /links', async () => {
    for (const url of ['/', '/links']) {
      const { links } = (await get(url)).json() as { links: Record<string, string> }
      assert.equal(links.markets, '/markets', url)
    }
    assert.match((await get('/links', AS_PERSON)).body, /<a href="\.\/markets">/)
    const { paths } = (await get('/openapi.json')).json() as { paths: object }
    assert.deepEqual(
      Object.keys(paths).filter((path) => /^\/(links|assets\/.*|config.json)?$/.test(path)),
      [],
    )
  })

  test('a node lets assets of the terminal be cached without limit, compressed, and all else be revalidated', async () => {
    const { headers, rawPayload } = await get('/assets/index-1.js', { 'accept-encoding': 'br' })
    assert.equal(headers['cache-control'], FOR_EVER)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-encoding'], 'br')
    assert.equal(String(brotliDecompressSync(rawPayload)), SCRIPT)
    for (const [url, type] of [
      ['/config.json', /^application\/json/],
      ['/icon.svg', /^image\/svg/],
    ] as const) {
      const { statusCode, headers } = await get(url)
      assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-cache'], url)
      assert.match(String(headers['content-type']), type)
    }
  })

  for (const url of [
    '/assets/none.js',
    '/assets/outside.txt',
    '/.built',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/index-1.js%00.css',
    '//etc/hostname',
  ])
    test(`a node with the terminal answers ${url} with the usual 404`, async () => {
      const { statusCode, headers, body } = await get(url, AS_PERSON)
      assert.ok(statusCode === 404 || statusCode === 400, `${statusCode}`)
      assert.match(String(headers['content-type']), /json/)
      assert.match((JSON.parse(body) as { error: string }).error, /^[A-Z_]+$/)
    })

  test('a node allows the terminal no inline code, and no framing', async () => {
    const { headers } = await get('/', AS_PERSON)
    const policy = String(headers['content-security-policy']).split('; ')
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "connect-src 'self' https://node.example wss://node.example",
    ])
      assert.ok(policy.includes(rule), `${rule} in ${policy.join('; ')}`)
    assert.doesNotMatch(policy.join(), /unsafe|\*/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  })
})

test('a page that asks another API may connect to it', async () => {
  const node = await nodeWith(builtPage('{ "apiUrl": "https://api.example/v1" }'))
  const { headers } = await node.host.inject({ url: '/', headers: AS_PERSON })
  assert.match(
    String(headers['content-security-policy']),
    /connect-src 'self' \S+ \S+ https:\/\/api\.example wss:\/\/api\.example;/,
  )
  await node.close()
})

test('a page that may ask a node of its own connects to that one and to no other', async () => {
  const config = { apiUrl: '', rpcUrl: 'https://chain.example/v2/key' }
  const node = await nodeWith(builtPage(JSON.stringify(config)))
  const { headers } = await node.host.inject({ url: '/', headers: AS_PERSON })
  assert.match(
    String(headers['content-security-policy']),
    /connect-src 'self' \S+ \S+ https:\/\/chain\.example wss:\/\/chain\.example;/,
  )
  await node.close()
})

describe('URLs of the venue besides the API', () => {
  const hosts = { integratedUrl: 'https://pools.example/v1', faucetUrl: 'https://faucet.example' }
  const ask = async (text: string) => {
    const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, {
      terminal: readTerminal(builtPage(text), hosts),
    })
    const config = (await node.host.inject({ url: '/config.json' })).json() as object
    const { headers } = await node.host.inject({ url: '/', headers: AS_PERSON })
    await node.close()
    return { config, policy: String(headers['content-security-policy']) }
  }

  test('the URL of the second host reaches the page, which may ask it', async () => {
    const { config, policy } = await ask('{ "apiUrl": "", "chainId": 7 }')
    assert.deepEqual(config, { apiUrl: '', rpcUrl: '', ...hosts, faucetUrl: FAUCET, chainId: 7 })
    assert.match(policy, /connect-src 'self' https:\/\/pools\.example wss:\/\/pools\.example;/)
    assert.doesNotMatch(policy, /faucet/)
  })

  test("settings in the terminal's own config.json have priority", async () => {
    const own = { apiUrl: '', integratedUrl: 'https://other.example/' }
    const { config, policy } = await ask(JSON.stringify(own))
    assert.deepEqual(config, { ...own, rpcUrl: '', faucetUrl: FAUCET })
    assert.match(policy, /https:\/\/other\.example /)
    assert.doesNotMatch(policy, /pools/)
  })
})

test('a node whose terminal could not be built explains it to people at /, and answers programs as usual', async () => {
  const why = 'Build failed: <script> is unexpected'
  const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, { terminalProblem: why })
  const ask = (url: string, headers: Readonly<Record<string, string>>) =>
    node.host.inject({ url, headers })
  const { statusCode, body, headers } = await ask('/', AS_PERSON)
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(body, /The page to trade on is not here: it was not built\./)
  assert.match(body, /<code>Build failed: &lt;script&gt; is unexpected<\/code>/)
  assert.match(body, /npm run build -w terminal/)
  assert.match(body, /<a href="\.\/docs">/)
  assert.equal(((await ask('/', {})).json() as { name: string }).name, 'openvenue')
  assert.doesNotMatch((await ask('/links', AS_PERSON)).body, /not built/)
  await node.close()
})

describe('TERMINAL_DIR', () => {
  test('TERMINAL_DIR names a folder with a built page, or the start ends with its name', () => {
    assert.throws(() => readTerminal(join(tmpdir(), 'openvenue-none')), {
      name: 'ConfigInvalid',
      message:
        /^TERMINAL_DIR is invalid: got ".*", expected a folder with the built terminal, index\.html in it$/,
    })
  })

  test('TERMINAL_DIR holds a config.json that names an API or none', () => {
    const node = '{ "apiUrl": "", "rpcUrl": "javascript:alert(1)" }'
    const host = '{ "apiUrl": "", "integratedUrl": "ftp://pools.example" }'
    for (const config of ['', '{}', '{ "apiUrl": "here" }', node, host])
      assert.throws(() => readTerminal(builtPage(config)), /^ConfigInvalid: TERMINAL_DIR is /)
  })

  test('TERMINAL_DIR holds no more than memory is meant for', () => {
    const folder = builtPage()
    writeFileSync(join(folder, 'assets/large.js'), Buffer.alloc(17 * 1024 * 1024))
    assert.throws(() => readTerminal(folder), /at most 500 files and 16 MB/)
  })
})
