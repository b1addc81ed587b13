import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import { encodeAbiParameters } from 'viem'
import type { Rpc } from './rpc.ts'
import { TOKEN_FAILURES_MAX, TokenReader } from './token-facts.ts'

const TOKEN = `0x${'aa'.repeat(20)}`
const HASH = `0x${'bb'.repeat(32)}`
const NAMES: Record<string, string> = {
  '0x95d89b41': 'symbol',
  '0x06fdde03': 'name',
  '0x313ce567': 'decimals',
  '0x18160ddd': 'totalSupply',
}
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const WHOLE = {
  symbol: text('TKN'),
  name: text('Token'),
  decimals: word(6n),
  totalSupply: word(9n),
}

type Answers = Readonly<Record<string, unknown>>

/** A node whose token returns `answers`; an error among them refuses the whole request. */
const fakeNode = (answers: (question: string, at: unknown) => unknown) => {
  const requests: RpcCall[][] = []
  const rpc: Rpc = async (calls) => {
    requests.push([...calls])
    return calls.map(({ params }) => {
      const [{ data }, at] = params as [{ data: string }, unknown]
      const answer = answers(NAMES[data] ?? '', at)
      if (answer instanceof Error) throw answer
      return answer
    })
  }
  return { rpc, asked: requests }
}

const readFacts = (answers: Answers) =>
  new TokenReader(fakeNode((question) => answers[question]).rpc).readFacts(TOKEN, HASH)

const reverted = (message = 'eth_call was refused: execution reverted', code = 3) =>
  new RpcError('refused', message, { code })

describe('facts of a token', () => {
  test('facts of a token are read at the block by its hash, with little gas, in one request', async () => {
    const { rpc, asked } = fakeNode((question) => WHOLE[question as keyof typeof WHOLE])
    assert.deepEqual(await new TokenReader(rpc).readFacts(TOKEN, HASH), {
      address: TOKEN,
      symbol: 'TKN',
      name: 'Token',
      decimals: 6,
      totalSupply: 9n,
    })
    assert.equal(asked.length, 1)
    for (const { method, params } of asked[0] ?? []) {
      const [{ to, gas }, at] = params as [{ to: string; gas: string }, unknown]
      assert.deepEqual(
        { method, to, at },
        { method: 'eth_call', to: TOKEN, at: { blockHash: HASH } },
      )
      assert.ok(Number(gas) <= 500_000)
    }
  })

  const bytes32 = (hex: string) => `0x${hex.padEnd(64, '0')}`
  const long = 'n'.repeat(5000)
  const texts: [string, string, string][] = [
    ['a text of any length', text('Ünïcödé token'), 'Ünïcödé token'],
    ['bytes32, as the first tokens have it', bytes32('4d4b52'), 'MKR'],
    ['zeros inside a text', text('a\0b'), 'ab'],
    ['a text longer than the limit', text(long), long.slice(0, 1024)],
    ['no data', '0x', ''],
    ['an offset beyond the end of the data', `0x${'ff'.repeat(64)}`, ''],
    ['a length beyond the end of the data', `0x${word(32n).slice(2)}${'ff'.repeat(32)}4142`, 'AB'],
    ['two thirds of a word', `0x${'41'.repeat(20)}`, ''],
  ]
  for (const [title, answer, expected] of texts) {
    test(`symbol and name of a token may be ${title}`, async () => {
      const { symbol, name } = await readFacts({ ...WHOLE, symbol: answer, name: answer })
      assert.deepEqual([symbol, name], [expected, expected])
    })
  }

  const numbers: [string, unknown, number | null][] = [
    ['255', word(255n), 255],
    ['256', word(256n), null],
    ['2^256 - 1', word(2n ** 256n - 1n), null],
    ['nothing', '0x', null],
    ['half a word', '0x06', null],
    ['a word and more', `${word(8n)}00`, 8],
    ['no hex', 'six', null],
  ]
  for (const [title, answer, expected] of numbers) {
    test(`a token that answers ${title} for decimals has the decimals ${expected}`, async () => {
      assert.equal((await readFacts({ ...WHOLE, decimals: answer })).decimals, expected)
    })
  }

  test('a refused call leaves the other facts of a token', async () => {
    for (const refusal of [
      reverted(),
      reverted('VM Exception while processing transaction: invalid opcode', -32000),
      reverted('out of gas: gas required exceeds', -32000),
    ]) {
      const facts = await readFacts({ ...WHOLE, decimals: refusal })
      assert.equal(facts.decimals, null)
      assert.equal(facts.symbol, 'TKN')
    }
  })

  test('facts of a token are the current ones when the node has pruned the state of the block', async () => {
    const gone = reverted('missing trie node', -32000)
    const { rpc } = fakeNode((question, at) =>
      at === 'latest' ? WHOLE[question as keyof typeof WHOLE] : gone,
    )
    assert.equal((await new TokenReader(rpc).readFacts(TOKEN, HASH)).symbol, 'TKN')
  })

  test('facts of a token are not the current ones when the token itself reverts', async () => {
    const { rpc, asked } = fakeNode((question, at) =>
      at === 'latest' ? WHOLE[question as keyof typeof WHOLE] : reverted(),
    )
    assert.deepEqual(await new TokenReader(rpc).readFacts(TOKEN, HASH), {
      address: TOKEN,
      symbol: '',
      name: '',
      decimals: null,
      totalSupply: null,
    })
    assert.equal(asked.length, 5)
  })

  test('facts of a token are empty when the node refuses the current state, too, or the answer', async () => {
    for (const kind of ['refused', 'tooLarge'] as const) {
      const facts = await readFacts({ ...WHOLE, name: new RpcError(kind, 'no') })
      assert.deepEqual([facts.name, facts.symbol], ['', 'TKN'])
    }
  })

  for (const kind of ['timeout', 'unreachable', 'http', 'malformed'] as const) {
    test(`a token is read again when the node fails (${kind}), up to a limit`, async () => {
      const { rpc } = fakeNode(() => new RpcError(kind, 'fake'))
      const reader = new TokenReader(rpc)
      for (let failure = 0; failure < TOKEN_FAILURES_MAX; failure++)
        await assert.rejects(reader.readFacts(TOKEN, HASH), { kind })
      assert.equal((await reader.readFacts(TOKEN, HASH)).decimals, null)
    })
  }

  test('a token is read in full after temporary failures, which are then forgotten', async () => {
    let isFailing = true
    const { rpc } = fakeNode((question) =>
      isFailing ? new RpcError('timeout', 'fake') : WHOLE[question as keyof typeof WHOLE],
    )
    const reader = new TokenReader(rpc)
    for (let round = 0; round < 2; round++) {
      isFailing = true
      for (let failure = 0; failure < TOKEN_FAILURES_MAX; failure++)
        await assert.rejects(reader.readFacts(TOKEN, HASH))
      isFailing = false
      assert.equal((await reader.readFacts(TOKEN, HASH)).symbol, 'TKN')
    }
  })

  test('only a bug in the code that reads a token stops the indexer', async () => {
    const { rpc } = fakeNode(() => new TypeError('a mistake'))
    const reader = new TokenReader(rpc)
    for (let failure = 0; failure <= TOKEN_FAILURES_MAX; failure++)
      await assert.rejects(reader.readFacts(TOKEN, HASH), TypeError)
  })
})
