// Every service refuses a deployment file of another chain with a one-line message, and exits.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { NETWORKS } from '@openvenue/core/networks'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { KeeperProcess } from '@openvenue/keeper/test/keeper-process'

const ROOT = join(import.meta.dirname, '..', '..')
const ADDRESS = `0x${'ab'.repeat(20)}`

const folder = mkdtempSync(join(tmpdir(), 'openvenue-other-chain-'))
after(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'deployment.json')
const contracts = { accounts: ADDRESS, spot: ADDRESS, perps: ADDRESS, oracles: [ADDRESS] }
writeFileSync(
  path,
  JSON.stringify({ chainId: NETWORKS.testnet.chainId, ...contracts, startBlock: 7 }),
)
/** An unused port: a service can only exit because of a check before its first connection. */
const AWAY = '127.0.0.1:1'

for (const main of ['indexer/src/main.ts', 'api/src/node/main.ts', 'keeper/src/main.ts'])
  test(`${main} exits with a line that names the file, its chain and that of NETWORK`, async () => {
    const service = new KeeperProcess(
      {
        NETWORK: 'mainnet',
        DEPLOYMENT_FILE: path,
        DATABASE_URL: `postgres://${AWAY}/venue`,
        RPC_URL: `http://${AWAY}`,
        KEEPER_KEY: derivePrivateKey(0),
        KEEPER_PRICES: 'off',
        PORT: '0',
        INDEXER_PORT: '0',
      },
      join(ROOT, main),
    )
    assert.equal(await service.ended(), 1)
    assert.deepEqual(service.lines, [
      `${path}: chainId is wrong: got 5042002, expected 5042, the chain of NETWORK or CHAIN_ID`,
    ])
  })
