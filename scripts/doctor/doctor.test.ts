import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Environment } from '@openvenue/runtime/environment'
import { type Address, domainSeparator, toFunctionSelector } from 'viem'
import { examine } from './examine.ts'

const CHAIN = 5042002
const KEY = `0x${'12'.repeat(32)}`
const PASSWORD = 'hunter2hunter2'
const CONTRACTS = {
  accounts: `0x${'a1'.repeat(20)}`,
  spot: `0x${'b2'.repeat(20)}`,
  perps: `0x${'c3'.repeat(20)}`,
  oracles: [`0x${'d4'.repeat(20)}`],
  startBlock: 5,
}

/** Answers of the node, which tests change. */
const HEALTHY = {
  chainId: CHAIN,
  code: '0x60',
  balance: 10n ** 20n,
  ageSeconds: 1,
  isSilent: false,
  domainName: 'openvenue',
  accounts: CONTRACTS.accounts,
}
const node = { ...HEALTHY }

const SEPARATOR = toFunctionSelector('domainSeparator()')

type Call = Readonly<{ id: number; method: string; params: readonly unknown[] }>

function answerView({ to, data }: Readonly<{ to: Address; data: string }>): string {
  if (data !== SEPARATOR) return `0x${node.accounts.slice(2).padStart(64, '0')}`
  const domain = { name: node.domainName, version: '1', chainId: CHAIN, verifyingContract: to }
  return domainSeparator({ domain })
}

function answer({ method, params }: Call): unknown {
  if (method === 'eth_chainId') return `0x${node.chainId.toString(16)}`
  if (method === 'eth_getCode') return node.code
  if (method === 'eth_getBalance') return `0x${node.balance.toString(16)}`
  if (method === 'eth_maxPriorityFeePerGas') return '0x3b9aca00'
  if (method === 'eth_call') return answerView(params[0] as Parameters<typeof answerView>[0])
  const seconds = Math.floor(Date.now() / 1000) - node.ageSeconds
  return { number: '0x64', timestamp: `0x${seconds.toString(16)}`, baseFeePerGas: '0x1' }
}

const served = createServer(async (request, response) => {
  if (node.isSilent) return
  const text = (await request.toArray()).join('')
  const calls = JSON.parse(text) as Call | readonly Call[]
  const reply = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: answer(call) })
  response.end(JSON.stringify('id' in calls ? reply(calls) : calls.map(reply)))
})
const stranger = createServer((_, response) => void response.end('something else'))
const ours = createServer((_, response) => void response.end('openvenue_up 1'))
const portOf = (server: Server) => (server.address() as AddressInfo).port
const folder = mkdtempSync(join(tmpdir(), 'openvenue-doctor-'))
const file = join(folder, 'deployment.json')
let env: Environment

before(async () => {
  for (const server of [served, stranger]) await once(server.listen(0, '127.0.0.1'), 'listening')
  await once(ours.listen(0, '::'), 'listening')
  writeFileSync(file, JSON.stringify({ ...CONTRACTS, chainId: CHAIN }))
})
beforeEach(async () => {
  Object.assign(node, HEALTHY)
  const [port, integrated, indexer, keeper] = await freePorts(4)
  env = {
    RPC_URL: `http://127.0.0.1:${portOf(served)}`,
    DEPLOYMENT_FILE: file,
    PORT: `${port}`,
    INTEGRATED_PORT: `${integrated}`,
    INDEXER_PORT: `${indexer}`,
    KEEPER_PORT: `${keeper}`,
  }
})
after(() => {
  for (const server of [served, stranger, ours]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map(portOf)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** Returns the bad findings, as `item: text`. */
async function badOf(more: Environment = {}): Promise<readonly string[]> {
  const findings = await examine({ ...env, ...more })
  for (const { item, isOk, advice } of findings) assert.equal(advice === undefined, isOk, item)
  return findings.filter(({ isOk }) => !isOk).map(({ item, text }) => `${item}: ${text}`)
}

const sending = { KEEPER_KEY: KEY, KEEPER_PRICES: 'off', DATABASE_URL: 'postgres://127.0.0.1:1/x' }

describe('the doctor', () => {
  test('the doctor finds nothing in a healthy venue', async () => {
    assert.deepEqual(await badOf(), [])
  })

  test('the doctor finds an invalid setting by its name', async () => {
    assert.match((await badOf({ FINALITY_BLOCKS: 'many' })).join(), /settings: FINALITY_BLOCKS/)
  })

  test('the doctor finds an invalid setting of API nodes by its name', async () => {
    assert.match(
      (await badOf({ CORS_ORIGINS: 'venue.example' })).join(),
      /^settings of API nodes: CORS_ORIGINS is /,
    )
    const broken = { DATABASE_URL: 'postgres://127.0.0.1:1/x', RELAY_RECEIPT_KEY: `${KEY}0` }
    const findings = (await badOf(broken)).join()
    assert.match(findings, /^settings of API nodes: RELAY_RECEIPT_KEY is /)
    assert.equal(findings.includes(KEY.slice(2)), false)
  })

  test('the doctor finds a missing deployment file, and one of another chain', async () => {
    assert.match(
      (await badOf({ DEPLOYMENT_FILE: join(folder, 'none') })).join(),
      /^deployment file: /,
    )
    const other = join(folder, 'other.json')
    writeFileSync(other, JSON.stringify({ ...CONTRACTS, chainId: 1 }))
    assert.deepEqual(await badOf({ DEPLOYMENT_FILE: other }), [
      'deployment file: chainId: got 1, expected 5042002',
    ])
  })

  test('the doctor finds a node of another chain', async () => {
    node.chainId = 7
    assert.match((await badOf()).join(), /node 1: chain id: got 7, expected 5042002/)
  })

  test('the doctor finds a node that is down, a silent one and a stopped one', async () => {
    const [port] = await freePorts(1)
    assert.match((await badOf({ RPC_URL: `http://127.0.0.1:${port}` })).join(), /node 1: /)
    node.ageSeconds = 600
    assert.match((await badOf()).join(), /node 1: chain 5042002, block 100 is 60\d s old/)
    node.isSilent = true
    assert.match((await badOf()).join(), /node 1: .*contracts: /)
  })

  test('the doctor finds a node whose newest block is in the future', async () => {
    node.ageSeconds = -600
    assert.match((await badOf()).join(), /node 1: chain 5042002, block 100 is (599|600) s in the f/)
  })

  test('the doctor finds engines of other accounts, and a deployment that begins after the head', async () => {
    node.accounts = `0x${'e5'.repeat(20)}`
    const late = join(folder, 'late.json')
    writeFileSync(late, JSON.stringify({ ...CONTRACTS, startBlock: 101 }))
    assert.deepEqual(await badOf({ DEPLOYMENT_FILE: late }), [
      'engines: an engine uses another accounts contract',
      'deployment file: startBlock: got 101, expected at most 100 (the newest block)',
    ])
  })

  test('the doctor finds contracts without code', async () => {
    node.code = '0x'
    assert.equal((await badOf()).length, 4)
  })

  test('the doctor finds contracts that verify another domain than clients sign in', async () => {
    node.domainName = 'another'
    assert.deepEqual(await badOf(), [
      'signing domain: accounts, spot, perps: expected "openvenue" of chain 5042002',
    ])
    assert.deepEqual(await badOf({ TYPED_DATA_DOMAIN: 'another' }), [])
  })

  test('the doctor finds a database and a Redis that are down', async () => {
    const [port] = await freePorts(1)
    const findings = await badOf({
      DATABASE_URL: `postgres://venue:${PASSWORD}@127.0.0.1:${port}/venue`,
      REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    })
    assert.match(findings.join('\n'), /^database: .*\nredis: /)
    assert.equal(findings.join().includes(PASSWORD), false)
  })

  test('the doctor finds a NATS that is down', async () => {
    const [port] = await freePorts(1)
    const findings = await badOf({
      DATABASE_URL: `postgres://venue:${PASSWORD}@127.0.0.1:${port}/venue`,
      FEED_URL: `nats://venue:${PASSWORD}@127.0.0.1:${port}`,
    })
    assert.match(findings.join('\n'), /^database: .*\nnats: connect ECONNREFUSED/)
    assert.equal(findings.join().includes(PASSWORD), false)
  })

  test('the doctor finds a port in use by another program', async () => {
    const port = portOf(stranger)
    assert.deepEqual(await badOf({ PORT: `${port}` }), [
      `port PORT: ${port} is used by another program`,
    ])
  })

  test('the doctor recognises a service of the venue that listens on every address, of both kinds', async () => {
    assert.deepEqual(await badOf({ PORT: `${portOf(ours)}`, HOST: '::' }), [])
    assert.deepEqual(await badOf({ PORT: `${portOf(ours)}`, HOST: '0.0.0.0' }), [])
    assert.deepEqual(await badOf({ PORT: `${portOf(stranger)}`, HOST: '::' }), [
      `port PORT: ${portOf(stranger)} is used by another program`,
    ])
  })

  test('the doctor finds an empty wallet by its address, and shows no key', async () => {
    // The node requires a tip: at the base fee this balance would pay for thousands.
    node.balance = 10n ** 15n
    const findings = await badOf(sending)
    assert.match(
      findings.join('\n'),
      /wallet keeper: 0x[0-9a-fA-F]{40} has 0.001, enough for 6 transactions/,
    )
    const all = JSON.stringify(await examine({ ...env, ...sending }))
    assert.equal(all.includes(KEY.slice(2)), false)
    const broken = await badOf({ ...sending, KEEPER_KEY: `${KEY}0` })
    assert.match(broken.join('\n'), /keys: KEEPER_KEY is invalid: expected a private key/)
    assert.equal(broken.join().includes(KEY.slice(2)), false)
  })

  test('the doctor reads files of secrets, and shows none of their content', async () => {
    const [port] = await freePorts(1)
    const where = `127.0.0.1:${port}`
    const secrets = {
      DATABASE_URL: `postgres://venue:${PASSWORD}@${where}/venue`,
      REDIS_URL: `redis://:${PASSWORD}@${where}`,
      RPC_URL: env.RPC_URL ?? '',
      KEEPER_KEY: KEY,
      RELAY_KEYS: `0x${'34'.repeat(32)},0x${'56'.repeat(32)}`,
    }
    const { RPC_URL: _, ...others } = env
    const files = Object.entries(secrets).map(([name, secret]) => {
      const path = join(folder, name)
      writeFileSync(path, secret, { mode: 0o600 })
      return [`${name}_FILE`, path]
    })
    node.balance = 0n
    const withFiles = { ...others, KEEPER_PRICES: 'off', ...Object.fromEntries(files) }
    const findings = await examine(withFiles)
    assert.deepEqual(
      findings.filter(({ isOk }) => !isOk).map(({ item }) => item),
      ['database', 'redis', 'wallet keeper', 'wallet cancels', 'wallet orders-0'],
    )
    const shown = JSON.stringify(findings)
    for (const secret of [PASSWORD, KEY.slice(2), '34'.repeat(32), '56'.repeat(32)])
      assert.equal(shown.includes(secret), false)
    chmodSync(join(folder, 'KEEPER_KEY'), 0o644)
    const [{ item, text } = assert.fail()] = (await examine(withFiles)).filter(({ isOk }) => !isOk)
    assert.equal(item, 'settings')
    assert.match(
      text,
      /^KEEPER_KEY_FILE is a file that contains only the secret and is unreadable to others/,
    )
  })
})
