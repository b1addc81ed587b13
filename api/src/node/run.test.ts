// The API as a separate process, as `npm run api` runs it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { postgresEngine } from '@openvenue/store/test/engines'
import type { Info } from '@openvenue/wire/info'
import { funded } from '../../test/funded.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const SECRET = 'a1b2c3d4-of-the-operator'
const address = (digit: string) => `0x${digit.repeat(40)}`
const DEPLOYMENT = {
  accounts: address('a'),
  spot: address('b'),
  perps: address('c'),
  oracles: [address('d')],
  startBlock: 7,
}

const start = (env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } })

/** Collects the output of the process, and finds the URL at which it listens. */
function listenTo(child: ChildProcess) {
  const printed = { text: '' }
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        printed.text += chunk
        const [found] = /http:\/\/127\.0\.0\.1:\d{4,5}(?=")/.exec(printed.text) ?? []
        if (found !== undefined) resolve(found)
      })
    child.once('exit', () => reject(new Error(`the process ended: ${printed.text}`)))
  })
  return { url, printed }
}

describe('the process of the API', () => {
  test('the process of the API does not start with a deployment that is wrong, and names file and field in a line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-api-'))
    const file = join(folder, 'deployment.json')
    writeFileSync(file, JSON.stringify({ ...DEPLOYMENT, spot: 'none' }))
    const child = start({ DATABASE_URL: 'postgres://localhost/x', DEPLOYMENT_FILE: file })
    const { url, printed } = listenTo(child)
    await assert.rejects(url)
    assert.equal(child.exitCode, 1)
    assert.equal(
      printed.text,
      `${file}: spot is invalid: got "none", expected an address: 0x and 40 hex digits\n`,
    )
    rmSync(folder, { recursive: true })
  })

  for (const engine of [postgresEngine(process.env.DATABASE_URL)].filter(
    (one) => one !== undefined,
  ))
    test(`the API process on ${engine.name} publishes its deployment, and never the nodes that it asks`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'openvenue-api-'))
      const file = join(folder, 'deployment.json')
      writeFileSync(file, JSON.stringify(DEPLOYMENT))
      const database = await engine.createDatabase()
      const store = await database.open()
      const state = emptyState()
      const blocks = funded('ETH-USDC').blocks()
      await store.writer.commit(
        blocks.map((block) => applyBlock(state, block)),
        0,
      )
      const child = start({
        DATABASE_URL: database.options.databaseUrl ?? '',
        DEPLOYMENT_FILE: file,
        PORT: '0',
        RPC_URL: `http://127.0.0.1:1/v2/${SECRET}`,
        INDEXER_URL: `http://127.0.0.1:1/${SECRET}`,
        PUBLIC_RPC_URL: 'https://rpc.example',
        LOG_LEVEL: 'trace',
      })
      const ended = once(child, 'exit')
      const { url, printed } = listenTo(child)
      const base = await url
      const read = async (path: string) => (await fetch(`${base}${path}`)).text()
      const { contracts, network, typed_data } = JSON.parse(await read('/info')) as Info
      assert.deepEqual(network.rpc_urls, ['https://rpc.example'])
      assert.deepEqual(
        [contracts.accounts?.address, contracts.spot?.address, contracts.perps?.from_block],
        [address('a'), address('b'), 7],
      )
      assert.equal(typed_data.accounts?.AcceptKey.domain.verifyingContract, address('a'))
      for (const path of ['/', '/info', '/ready', '/health', '/metrics', '/openapi.json', '/x'])
        assert.ok(!(await read(path)).includes(SECRET), path)
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      assert.ok(!printed.text.includes(SECRET), 'the logs')
      await store.close()
      await database.remove()
      rmSync(folder, { recursive: true })
    })

  for (const engine of [postgresEngine(process.env.DATABASE_URL)].filter(
    (one) => one !== undefined,
  ))
    test(`the API process on ${engine.name} ends with a line when its chain node is of another chain`, async () => {
      const node = createServer((_, response) =>
        response.end('{"jsonrpc":"2.0","id":0,"result":"0x7"}'),
      ).listen(0, '127.0.0.1')
      await once(node, 'listening')
      const database = await engine.createBareDatabase()
      const child = start({
        DATABASE_URL: database.options.databaseUrl ?? '',
        PORT: '0',
        RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
        LOG_LEVEL: 'fatal',
      })
      const { url, printed } = listenTo(child)
      await assert.rejects(url)
      assert.equal(child.exitCode, 1)
      const words =
        'RPC_URL is a node of another chain: got chain 7, expected 5042002 (NETWORK or CHAIN_ID)'
      assert.equal(printed.text, `${words}\n`)
      node.close()
      node.closeAllConnections()
      await database.remove()
    })
})
