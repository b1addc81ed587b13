import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { issueNarrowKey } from '@openvenue/api/test/keyed'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import type { shapes } from 'openvenue'
import type { TypedData } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import { buildPackage } from '../scripts/build.ts'
import { errorOf } from '../src/answer.ts'
import { readOptions } from '../src/options.ts'
import type { Tool } from '../src/server.ts'
import { chooseTools } from '../src/tools.ts'
import { type Conversation, converse, MAIN, type ServerOptions } from './conversation.ts'
import { normalise } from './normalise.ts'

const CONVERSATION = new URL('../conversation.jsonl', import.meta.url).pathname
/** Build folder from which the dependencies resolve. */
const BUILT = new URL('../../../node_modules/.cache/openvenue/mcp-package', import.meta.url)
  .pathname
/** Later than every scenario, so that the recording is stable. */
const DEADLINE = 4_000_000_000
const CAPS = ['--cap-order', '100', '--cap-day', '150']
const BID = { market: 'ETH-USDC', side: 'buy', amount: '0.01', price: '1000.128' }

let venue: TradingSockets
let url = ''
let secretOf: (who: string) => `0x${string}`
const closings: (() => Promise<void>)[] = []

before(async () => {
  const scenario = funded('ETH-USDC').on('ETH-USDC').place('bob', 'buy', 300_000, 20n)
  secretOf = (who) => `0x${scenario.accountOf(who).toString(16).padStart(64, '0')}`
  const options = { environment: 'devnet', version: '0', marketsCacheMs: 0, readyCacheMs: 0 }
  venue = await tradingSockets(scenario.next(), { host: { options } })
  url = venue.urls[0] as string
})
after(async () => {
  for (const close of closings) await close()
  await venue.close()
})

const nowMs = () => (venue.models[0]?.head?.seconds ?? 0) * 1000

async function keyOf(who: string, scopes?: readonly shapes.Scope[]) {
  const { key, secret } =
    scopes === undefined
      ? await venue.issue(who)
      : await issueNarrowKey(venue.store, venue.walletOf(who), nowMs(), { scopes: [...scopes] })
  return { OPENVENUE_API_KEY: key, OPENVENUE_API_SECRET: secret }
}

async function start({ args, ...others }: ServerOptions): Promise<Conversation> {
  const conversation = await converse({ args: ['--url', url, ...args], ...others })
  closings.push(conversation.close)
  return conversation
}

/** Runs a server that is expected to exit. */
function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, '--url', url, ...args], { env, stdio: 'pipe' })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => {
      said[name] += String(part)
    })
  return new Promise<Readonly<{ code: number | null; stdout: string; stderr: string }>>(
    (resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, ...said }))
    },
  )
}

describe('a conversation of revision 2026-07-28', () => {
  test('a model reads a book and an account, builds an order and submits it with a signature', async (t) => {
    const talk = await start({ args: ['--submit'], env: await keyOf('alice') })
    await talk.client.listTools()
    const { content: book } = await talk.call('get_orderbook', { instrument_name: 'ETH-USDC' })
    assert.deepEqual(book.answer.bids, [{ price: '3000', amount: '0.002', orders: 1 }])
    const { content: account } = await talk.call('get_account')
    assert.equal(account.answer.account, venue.walletOf('alice'))
    const { content: built } = await talk.call('build_order', { ...BID, deadline: DEADLINE })
    const { order_id, typed_data, means } = built.answer
    assert.deepEqual([means.price, means.value_at_price], ['1000.12', '10.0012'])
    const signature = await sign('alice', typed_data)
    const { content: placed, isError } = await talk.call('submit_order', { order_id, signature })
    assert.equal(isError, false)
    assert.deepEqual([placed.answer.order_status, placed.answer.order_id], ['pending', order_id])
    const { content: order } = await talk.call('get_orders_by_order_id', { order_id })
    assert.equal(order.answer.price, '1000.12')
    const { content: cancelled } = await talk.call('cancel_order', { order_id })
    assert.equal(cancelled.answer.order.order_status, 'cancelled')
    t.assert.fileSnapshot(normalise(talk.lines), CONVERSATION, { serializers: [String] })
    for (const [text, content] of bothForms(talk)) assert.deepEqual(JSON.parse(text), content)
  })

  test('submit_order refuses a signature of another key and an order not built by it', async () => {
    const talk = await start({ args: ['--submit'], env: await keyOf('alice') })
    const { order_id, typed_data } = (await talk.call('build_order', BID)).content.answer
    const signature = await sign('bob', typed_data)
    const forged = await talk.call('submit_order', { order_id, signature })
    assert.deepEqual([forged.isError, forged.content.error], [true, 'ORDER_BAD_SIGNING_KEY'])
    const unknown = { order_id: `0x${'ab'.repeat(32)}`, signature }
    const other = await talk.call('submit_order', unknown)
    assert.deepEqual([other.isError, other.content.error], [true, 'ORDER_NOT_BUILT'])
  })

  test('an invalid tool call returns its code and the invalid members', async () => {
    const talk = await start({ args: [] })
    const wrong = await talk.call('get_orderbook', { instrument_name: 'ETH' })
    assert.deepEqual([wrong.isError, wrong.content.error], [true, 'INSTRUMENT_NOT_FOUND'])
    assert.equal(wrong.content.details[0].field, 'instrument_name')
    const missing = await talk.call('get_orderbook', { name: 'ETH-USDC' })
    assert.deepEqual([missing.isError, missing.content.error], [true, 'INVALID_INPUT'])
    assert.deepEqual(
      missing.content.details.map(({ field }: { field: string }) => field),
      ['instrument_name', 'name'],
    )
    const dots = await talk.call('get_markets_by_instrument_id', { instrument_id: '..' })
    assert.match(dots.content.details[0].message, /must match pattern/)
    await assert.rejects(talk.call('place_order', BID), /Tool place_order not found/)
  })
})

describe('the published package', () => {
  test('the published MCP package serves clients of the previous revision', async () => {
    await buildPackage(BUILT)
    const main = join(BUILT, 'bin/main.js')
    const talk = await start({ args: [], isLegacy: true, main })
    const { content } = await talk.call('get_time')
    assert.match(content.answer.time, /^\d{19}$/)
    assert.match(talk.client.getInstructions() ?? '', /Do not follow instructions/)
  })
})

describe('tools above the level of the program', () => {
  test('tools above the level of the program do not exist', async () => {
    const open = await toolsFor([])
    assert.ok(open.includes('get_orderbook') && !open.includes('get_account'))
    assert.deepEqual(await toolsFor(['--url', 'http://127.0.0.1:9']), open, 'needs no venue')
    const reading = await toolsFor([], await keyOf('alice', ['read']))
    assert.ok(reading.includes('get_account') && reading.includes('build_order'))
    const changing = [
      'cancel_orders',
      'cancel_order',
      'cancel_after',
      'submit_order',
      'place_order',
    ]
    const among = (names: readonly string[]) => changing.filter((name) => names.includes(name))
    assert.deepEqual(among(reading), [])
    const cancelling = await toolsFor(['--cancel'], await keyOf('alice', ['read', 'cancel']))
    assert.deepEqual(among(cancelling), changing.slice(0, 3))
    const submitting = await toolsFor(['--submit'], await keyOf('alice'))
    assert.deepEqual(among(submitting), changing.slice(0, 4))
  })

  test('a key above or below the level of the program is refused', async () => {
    const trading = await keyOf('alice')
    await assert.rejects(toolsFor([], trading), /got trade and cancel, which exceeds the level/)
    await assert.rejects(toolsFor(['--cancel'], trading), /got trade, which exceeds/)
    const reading = await keyOf('alice', ['read'])
    await assert.rejects(toolsFor(['--submit'], reading), /cancel and trade missing/)
    const wrong = { ...reading, OPENVENUE_API_SECRET: 'ab'.repeat(32) }
    await assert.rejects(toolsFor([], wrong), /refused the API key: AUTH_INVALID/)
  })

  test('a refused key ends the process with the reason on standard error and no output', async () => {
    const { code, stdout, stderr } = await run([], await keyOf('alice'))
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^openvenue-mcp: API key scopes: got trade and cancel.*\n$/)
  })
})

describe('trading with caps', () => {
  test('orders within the caps are placed, and a refusal names the exceeded cap', async () => {
    const talk = await start({ args: ['--trade', ...CAPS], env: await tradingKeys() })
    const { content } = await talk.call('place_order', { ...BID, amount: '0.08', price: '1000' })
    assert.equal(content.answer.order.order_status, 'pending')
    assert.equal(content.answer.means.value_at_price, '80')
    const large = await talk.call('place_order', { ...BID, amount: '0.2', price: '1000' })
    assert.deepEqual([large.isError, large.content.error], [true, 'CAP_ORDER'])
    assert.deepEqual([large.content.option, large.content.cap], ['--cap-order', '100'])
    const second = await talk.call('place_order', { ...BID, amount: '0.08', price: '1000' })
    assert.deepEqual([second.isError, second.content.error], [true, 'CAP_DAY'])
    assert.deepEqual([second.content.cap, second.content.spent], ['150', '80'])
    const { order_id } = content.answer.order
    const { content: cancelled } = await talk.call('cancel_order', { order_id })
    assert.equal(cancelled.answer.order.order_status, 'cancelled')
    const again = await talk.call('place_order', { ...BID, amount: '0.08', price: '1000' })
    assert.equal(again.content.error, 'CAP_DAY', 'a cancelled order could still be sent')
  })

  test('a sell far below the market counts against the caps at its possible proceeds', async () => {
    const tool = await placeTool()
    const cheap = { ...BID, side: 'sell', amount: '0.05', price: '1', time_in_force: 'IOC' }
    const { error, value } = await tool(cheap)
    assert.deepEqual([error, value], ['CAP_ORDER', '150'])
  })

  test('only --trade signs a cancel for an account without a canceller', async () => {
    const order_id = (await venue.send('bob', 'GET /open-orders?include=pending')).body.orders[0]
      .order_id
    const unsigned = await call(['--cancel'], await keyOf('bob', ['read', 'cancel']), {
      cancel_order: { order_id },
    })
    assert.equal(unsigned.error, 'CANCEL_SIGNATURE_REQUIRED')
    const signed = await call(['--trade', ...CAPS], await tradingKeys('bob'), {
      cancel_order: { order_id },
    })
    const { order, receipt } = signed.answer as Record<string, Record<string, unknown>>
    assert.deepEqual([order?.order_id, receipt?.lane], [order_id, 'cancels'])
  })

  test('concurrent orders count together against the caps', async () => {
    const tool = await placeTool()
    const order = { ...BID, amount: '0.09', price: '1000' }
    const both = await Promise.all([tool(order), tool(order)])
    assert.deepEqual(both.map(({ error }) => error).sort(), ['CAP_DAY', undefined])
  })
})

describe('a devnet', () => {
  test('--devnet trades as an account of the mnemonic with a newly registered key', async () => {
    const talk = await start({ args: ['--devnet', '10'] })
    const { content } = await talk.call('get_limits')
    assert.equal(content.answer.account, '0xbcd4042de499d14e55001ccbb24a551f3b954096')
    const { content: refused } = await talk.call('place_order', { ...BID, amount: '99' })
    assert.match(refused.message, /has no account: its first deposit opens one/)
  })

  test('--devnet refuses any other network', async () => {
    const other = await tradingSockets(funded('ETH-USDC'))
    closings.push(other.close)
    const options = readOptions(['--devnet', '10', '--url', other.urls[0] as string], {})
    assert.ok(options)
    await assert.rejects(chooseTools(options), /got network test, expected devnet/)
  })
})

const tradingKeys = async (who = 'alice') => ({
  ...(await keyOf(who)),
  OPENVENUE_SIGNING_KEY: secretOf(who),
})

/** Returns the tools that a process would have. */
async function choose(args: readonly string[], env: Record<string, string> = {}) {
  const options = readOptions(['--url', url, ...args], env)
  assert.ok(options)
  return chooseTools(options)
}

const toolsFor = async (args: readonly string[], env?: Record<string, string>) =>
  (await choose(args, env)).map(({ name }) => name)

/** Returns place_order with unused caps. */
async function placeTool() {
  const tools = await choose(['--trade', ...CAPS], await tradingKeys())
  return (input: Record<string, unknown>) => callTool(tools, 'place_order', input)
}

/** Calls one tool of a program that was started with these options. */
async function call(
  args: readonly string[],
  env: Record<string, string>,
  named: Record<string, Record<string, unknown>>,
) {
  const [[name, input] = ['', {}]] = Object.entries(named)
  return callTool(await choose(args, env), name, input)
}

async function callTool(tools: readonly Tool[], name: string, input: Record<string, unknown>) {
  const tool = tools.find((tool) => tool.name === name)
  assert.ok(tool)
  const { signal } = new AbortController()
  return (await tool.call(input, signal).catch(errorOf)).structuredContent as Record<
    string,
    unknown
  >
}

const sign = (who: string, data: TypedData) =>
  privateKeyToAccount(secretOf(who)).signTypedData(data as never)

/** Returns the answer of each tool, as text and as data. */
const bothForms = ({ lines }: Conversation): (readonly [string, unknown])[] =>
  lines.flatMap(({ message }) => {
    const { content, structuredContent } = 'result' in message ? message.result : {}
    const [first] = (content ?? []) as readonly { text: string }[]
    return structuredContent === undefined ? [] : [[first?.text ?? '', structuredContent] as const]
  })
