import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { parseTokenList, readTokenList, TokenListInvalid } from './token-list.ts'

const ETHER = {
  chainId: 1,
  address: `0x${'Ab'.repeat(20)}`,
  name: 'Wrapped Ether',
  symbol: 'WETH',
  decimals: 18,
  logoURI: 'https://logos.example/weth.svg',
}
const makeList = (...tokens: unknown[]) =>
  JSON.stringify({
    name: 'Tokens',
    timestamp: '2026-01-01T00:00:00Z',
    version: { major: 1, minor: 0, patch: 0 },
    keywords: ['any'],
    tokens,
  })

describe('a token list', () => {
  test('a token list gives names, symbols and logos by address in lower case', () => {
    const list = parseTokenList(makeList(ETHER), 1)
    assert.deepEqual(
      [...list],
      [
        [
          ETHER.address.toLowerCase(),
          { name: 'Wrapped Ether', symbol: 'WETH', logoUri: ETHER.logoURI },
        ],
      ],
    )
  })

  test('a token list of several chains gives the tokens of one', () => {
    const other = { ...ETHER, chainId: 5, address: `0x${'cd'.repeat(20)}` }
    assert.deepEqual([...parseTokenList(makeList(ETHER, other), 5).keys()], [other.address])
    assert.equal(parseTokenList(makeList(ETHER, other), 7).size, 0)
  })

  test('a token in a list may have no logo', () => {
    const { logoURI: _, ...plain } = ETHER
    assert.equal(parseTokenList(makeList(plain), 1).get(ETHER.address.toLowerCase())?.logoUri, '')
  })

  for (const logoURI of ['ipfs://QmHash', 'ipns://name', 'ar://id', 'HTTP://logos.example/a.png'])
    test(`a token in a list may have the logo ${logoURI}`, () => {
      const [token] = parseTokenList(makeList({ ...ETHER, logoURI }), 1).values()
      assert.equal(token?.logoUri, logoURI)
    })

  for (const [says, text, rule] of [
    ['no JSON', '{', /^token list is invalid: expected JSON$/],
    ['an array', '[]', /^token list is invalid: expected a JSON object$/],
    ['nothing', 'null', /^token list is invalid: expected a JSON object$/],
    ['no tokens', '{"name":"x"}', /^tokens is invalid: expected an array$/],
    [
      'too many tokens',
      JSON.stringify({ tokens: Array(50_001).fill(0) }),
      /^tokens has too many items: got 50001, expected at most 50000$/,
    ],
    [
      'a token that is none',
      makeList(null),
      /^tokens\[0\]\.chainId is invalid: expected a whole number from 1$/,
    ],
    ['a chain 0', makeList({ ...ETHER, chainId: 0 }), /^tokens\[0\]\.chainId is/],
    ['a chain as text', makeList({ ...ETHER, chainId: '1' }), /^tokens\[0\]\.chainId is/],
    ['a short address', makeList(ETHER, { ...ETHER, address: '0xab' }), /^tokens\[1\]\.address is/],
    ['no name', makeList({ ...ETHER, name: '' }), /^tokens\[0\]\.name is invalid: expected text/],
    ['a long name', makeList({ ...ETHER, name: 'a'.repeat(61) }), /text of 1 to 60 characters$/],
    ['a long symbol', makeList({ ...ETHER, symbol: 'a'.repeat(21) }), /1 to 20 characters$/],
    ['half decimals', makeList({ ...ETHER, decimals: 1.5 }), /^tokens\[0\]\.decimals is/],
    ['256 decimals', makeList({ ...ETHER, decimals: 256 }), /up to 255$/],
    [
      'a script as logo',
      makeList({ ...ETHER, logoURI: 'javascript:alert(1)' }),
      /logoURI is invalid: expected a URL/,
    ],
    ['a number as logo', makeList({ ...ETHER, logoURI: 1 }), /logoURI is invalid: expected a URL/],
    [
      'a logo without end',
      makeList({ ...ETHER, logoURI: `https://${'a'.repeat(2000)}` }),
      /logoURI/,
    ],
  ] as const)
    test(`a token list with ${says} is refused with the place and the rule`, () => {
      assert.throws(() => parseTokenList(text, 1), { name: 'TokenListInvalid', message: rule })
    })

  test('a token list of any JSON is a list or refused, and nothing else', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.record({ tokens: fc.array(fc.jsonValue()) }))
    const property = fc.property(anything, (value) => {
      try {
        parseTokenList(JSON.stringify(value), 1)
      } catch (error) {
        assert.ok(error instanceof TokenListInvalid, String(error))
      }
    })
    fc.assert(property)
  })
})

describe('a token list in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'token-list-'))
  const source = join(folder, 'list.json')
  after(() => rmSync(folder, { recursive: true }))

  test('a token list in a file is read', async () => {
    writeFileSync(source, makeList(ETHER))
    assert.equal((await readTokenList({ source, chainId: 1 })).size, 1)
  })

  test('a token list in a file is refused above the size limit', async () => {
    writeFileSync(source, makeList(ETHER))
    const read = readTokenList({ source, chainId: 1, bytesMax: 100 })
    await assert.rejects(read, { message: 'token list is too large: expected at most 100 bytes' })
  })

  test('a missing token list file is an error with its path', async () => {
    await assert.rejects(readTokenList({ source: join(folder, 'none'), chainId: 1 }), /none/)
  })
})

describe('a token list at a URL', () => {
  const source = 'https://tokens.example/list.json'
  /** Sends requests to a server on this machine instead of the one in the URL. */
  async function served(
    answer: (end: (status: number, text: string) => void) => void,
    bounds: Readonly<{ bytesMax?: number; timeoutMs?: number }> = {},
  ) {
    const server = createServer((_request, response) =>
      answer((status, text) => response.writeHead(status).end(text)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const asked: string[] = []
    const local: typeof fetch = (url, options) => {
      asked.push(String(url))
      return fetch(`http://127.0.0.1:${port}`, options)
    }
    try {
      const list = await readTokenList({ source, chainId: 1, fetch: local, ...bounds })
      return { list, asked }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test('a token list at a URL is downloaded', async () => {
    const { list, asked } = await served((end) => end(200, makeList(ETHER)))
    assert.equal(list.size, 1)
    assert.deepEqual(asked, [source])
  })

  test('a token list at a URL that answers with an error is not used', async () => {
    await assert.rejects(
      served((end) => end(503, '')),
      { message: 'token list: got status 503, expected 200' },
    )
  })

  test('a token list at a URL is refused above the size limit', async () => {
    const long = served((end) => end(200, makeList(ETHER)), { bytesMax: 100 })
    await assert.rejects(long, { message: 'token list is too large: expected at most 100 bytes' })
  })

  test('a token list at a URL is given up when the server does not answer in time', async () => {
    await assert.rejects(
      served(() => {}, { timeoutMs: 20 }),
      { name: 'TimeoutError' },
    )
  })
})
