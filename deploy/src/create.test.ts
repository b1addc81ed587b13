// A chain without the factory: addresses depend on the deployer's nonces. The key is used elsewhere
// meanwhile, the process is killed, and the chain undoes a creation.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import type { Hex } from 'viem'
import { type ArcChain, createToken, sendFrom, startArcChain } from '../test/arc-chain.ts'
import {
  type DeploymentPaths,
  killAtSend,
  readEntries,
  readRecord,
  run,
} from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { FACTORY } from './plan/contracts.ts'

const DEPLOYER = 9
/** Number of completed transactions before the key is used elsewhere. */
const BEFORE_OTHER_USE = 4

let chain: ArcChain
let paths: DeploymentPaths
let deployer: Hex
let root = ''
before(async () => {
  chain = await startArcChain()
  await chain.rpc.call('anvil_setCode', FACTORY, '0x')
  deployer = (chain.wallets[DEPLOYER] as Hex).toLowerCase() as Hex
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  root = folder
  paths = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (root !== '') rmSync(root, { recursive: true, force: true })
})

test('a deployment stops when its key was used elsewhere, and names the remedy', async () => {
  const killed = await killAtSend(paths, BEFORE_OTHER_USE, 'after')
  assert.equal(killed.code, 'SIGKILL')
  assert.match(killed.out, /^ {2}spot +0x\w{40} {2}by the deployer's nonce$/m)
  await sendFrom(chain.rpc, { from: deployer, to: deployer })
  const { code, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 1)
  const words = `^oracle needs nonce ${BEFORE_OTHER_USE}, but the next nonce of the deployer is 5: its key`
  assert.match(err, new RegExp(words))
})

test('the same key deploys from another folder, and repeats a creation undone by a reorganisation', async () => {
  paths = { ...paths, folder: join(paths.folder, 'second') }
  let sends = 0
  chain.intercept(async (_, forward) => {
    sends += 1
    if (sends !== 3) return forward()
    const taken = await chain.rpc.call('evm_snapshot')
    const hash = await forward()
    while ((await chain.rpc.call('eth_getTransactionReceipt', hash)) === null);
    await chain.hold()
    await chain.rpc.call('evm_revert', taken)
    chain.resume()
    return hash
  })
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
  assert.match(out, /^no differences$/m)
  const record = readRecord(paths.folder)
  assert.equal(record.factory, 'create')
  const entries = readEntries(paths.folder)
  assert.deepEqual(
    entries.map(({ nonce }) => nonce),
    entries.map((_, index) => BEFORE_OTHER_USE + 1 + index),
  )
  assert.equal(new Set(entries.map(({ step }) => step)).size, entries.length)
})

test('a contract with changed arguments is refused although its address is the same', async () => {
  const venue = JSON.parse(readFileSync(paths.config, 'utf8')) as Record<string, unknown>
  const config = join(paths.folder, 'other.json')
  writeFileSync(config, JSON.stringify({ ...venue, domainName: 'another' }))
  const { code, err } = await run({ ...paths, config }, 'deploy', ['--yes'])
  assert.equal(code, 1)
  const { accounts } = readRecord(paths.folder)
  assert.match(err, new RegExp(`^accounts was created at ${accounts}, but would now differ, at`))
})

test('deployment.json is readable by every service, and the journal only by the operator', () => {
  const modeOf = (name: string) => (statSync(join(paths.folder, name)).mode & 0o777).toString(8)
  assert.deepEqual([modeOf('deployment.json'), modeOf('journal.json')], ['644', '600'])
})
