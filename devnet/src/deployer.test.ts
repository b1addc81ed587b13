import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { quantity } from '@openvenue/runtime/node'
import { type Chain, startChain } from './chain.ts'
import { Deployer } from './deployer.ts'

const GENESIS_SECONDS = 1_700_000_000
/** Code that returns no code at all, and code that reverts. */
const EMPTY = '0x60006000f3'
const REVERTING = '0x60006000fd'

const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-deployer-'))
let chain: Chain
let from: string
before(async () => {
  chain = await startChain({ dataDir, port: 0, genesisSeconds: GENESIS_SECONDS, onError: () => {} })
  from = ((await chain.rpc.call('eth_accounts')) as string[])[0] ?? ''
})
after(async () => {
  await chain.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('transactions deployed as a group are one block of the given time, with contracts in order', async () => {
  const deployer = new Deployer(chain, GENESIS_SECONDS + 5)
  const addresses = await deployer.create({ from, codes: [EMPTY, EMPTY], gas: 100_000 })
  assert.equal(new Set(addresses).size, 2)
  const block = await chain.rpc.call('eth_getBlockByNumber', quantity(1), false)
  const { timestamp, transactions } = block as { timestamp: string; transactions: string[] }
  assert.deepEqual([Number(timestamp), transactions.length], [GENESIS_SECONDS + 5, 2])
  const receipts = (await Promise.all(
    transactions.map((hash) => chain.rpc.call('eth_getTransactionReceipt', hash)),
  )) as { contractAddress: string }[]
  assert.deepEqual(
    receipts.map(({ contractAddress }) => contractAddress.toLowerCase()),
    addresses,
  )
})

test('a transaction that reverts, is refused or creates nothing ends the deployment', async () => {
  const deployer = new Deployer(chain, GENESIS_SECONDS + 6)
  const creation = { from, codes: [REVERTING], gas: 100_000 } as const
  await assert.rejects(deployer.create(creation), /deploying failed: reverted/)
  const poor = { from, to: from, value: 10n ** 30n, gas: 21_000 }
  await assert.rejects(deployer.send([poor]), /deploying failed: .*[Ii]nsufficient funds/)
})
