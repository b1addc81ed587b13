// Environment of the commands, read like the services' environment, and refused keys.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import type { Environment } from '@openvenue/runtime/environment'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { openSession } from './session.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const GWEI = 1_000_000_000n
const KEY = derivePrivateKey(9)
const wallets = [...'0123456789'].map((digit) => `0x${digit.repeat(40)}` as const)
const venue = smallVenue({ wallets, eth: `0x${'e'.repeat(40)}` })
const USDC = '0x3600000000000000000000000000000000000000'
const { folder, path: config } = writeVenue({
  ...venue,
  tokens: { ...venue.tokens, USDC: { address: USDC, decimals: 6 } },
})
/** A node of the configured chain. */
const node = createServer(async (request, response) => {
  const { id } = JSON.parse((await request.toArray()).join('')) as { id: number }
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' }))
})
let url: string
before(async () => {
  await once(node.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
})
after(() => {
  node.close()
  node.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const AWAY = 'http://127.0.0.1:1'
const open = (env: Environment, options = {}) =>
  openSession({ network: 'mainnet', config, ...options }, { CHAIN_ID: '7', ...env })

describe('openSession', () => {
  test('a command uses the first node of RPC_URL or RPC_URL_FILE, or that of --rpc', async () => {
    const RPC_URL_FILE = join(folder, 'rpc_url')
    writeFileSync(RPC_URL_FILE, `${url}\n`, { mode: 0o600 })
    const sessions = [
      await open({ RPC_URL: `${url},${AWAY}` }),
      await open({ RPC_URL_FILE }),
      await open({ RPC_URL_FILE: '/nowhere' }, { rpc: url }),
    ]
    for (const { chain } of sessions) assert.equal(await chain.chainId(), 7)
    await assert.rejects(open({ RPC_URL_FILE: '/nowhere' }), /^ConfigInvalid: RPC_URL_FILE is /)
  })

  test('a command reads the coin, the fees and the explorer of another chain from the environment', async () => {
    const { network, fees } = await open({
      RPC_URL: url,
      CURRENCY_SYMBOL: 'ETH',
      FEE_FLOOR_GWEI: '0.5',
      FEE_TIP_GWEI: '2',
      EXPLORER_URL: 'https://explorer.example',
    })
    assert.deepEqual(network.currency, { symbol: 'ETH', decimals: 18 })
    assert.equal(network.explorerUrl, 'https://explorer.example')
    assert.deepEqual([fees.feeFloorWei, fees.tipWei], [GWEI / 2n, 2n * GWEI])
    const given = await open({ RPC_URL: url, FEE_FLOOR_GWEI: '0.5' }, { 'fee-floor-gwei': '3' })
    assert.equal(given.fees.feeFloorWei, 3n * GWEI)
  })

  for (const [command, name] of [
    ['deploy', 'DEPLOYER_KEY'],
    ['admin', 'ADMIN_KEY'],
  ] as const)
    test(`${command} refuses a key whose file others can read, without printing it`, async () => {
      const path = join(folder, `${command}.key`)
      writeFileSync(path, KEY, { mode: 0o644 })
      const { code, output } = await run(command, { [`${name}_FILE`]: path })
      assert.equal(code, 1)
      assert.equal(
        output,
        `${name}_FILE is a file that contains only the secret and is unreadable to others: chmod o-rwx ${path}\n`,
      )
      writeFileSync(path, `${KEY}0`)
      chmodSync(path, 0o600)
      const broken = await run(command, { [`${name}_FILE`]: path })
      assert.equal(
        broken.output,
        `${name} is invalid: expected a private key, 0x and 64 hex digits\n`,
      )
    })
})

async function run(command: string, env: Readonly<Record<string, string>>) {
  const args = [MAIN, command, 'list', '--network', 'mainnet', '--config', config, '--rpc', url]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, { cwd: folder, env: { PATH, CHAIN_ID: '7', ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
  const [code] = await once(child, 'close')
  return { code, output }
}
