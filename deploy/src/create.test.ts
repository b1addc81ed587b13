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
let place: DeploymentPaths
let deployer: Hex
let root = ''
before(async () => {
  chain = await startArcChain()
  await chain.rpc.call('anvil_setCode', FACTORY, '0x')
  deployer = (chain.wallets[DEPLOYER] as Hex).toLowerCase() as Hex
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  root = folder
  place = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (root !== '') rmSync(root, { recursive: true, force: true })
})

test('a key used elsewhere meanwhile stops the deployment, and the message names the remedy', async () => {
  const killed = await killAtSend(place, BEFORE_OTHER_USE, 'after')
  assert.equal(killed.code, 'SIGKILL')
  assert.match(killed.out, /^ {2}spot +0x\w{40} {2}by the deployer's nonce$/m)
  await sendFrom(chain.rpc, { from: deployer, to: deployer })
  const { code, err } = await run(place, 'deploy', ['--yes'])
  assert.equal(code, 1)
  const words = `^oracle needs nonce ${BEFORE_OTHER_USE} of the deployer, whose next is 5: its key was`
  assert.match(err, new RegExp(words))
})

test('the same key starts over in another folder, and a creation that the chain undid is repeated', async () => {
  place = { ...place, folder: join(place.folder, 'anew') }
  let sends = 0
  chain.intercept(async (_, forward) => {
    sends += 1
    if (sends !== 3) return forward()
    const taken = await chain.rpc.call('evm_snapshot')
    const hash = await forward()
    while ((await chain.rpc.call('eth_getTransactionReceipt', hash)) === null);
    await chain.hold()
    await chain.rpc.call('evm_revert', taken)
    chain.goOn()
    return hash
  })
  const { code, out, err } = await run(place, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
  assert.match(out, /^nothing differs$/m)
  const record = readRecord(place.folder)
  assert.equal(record.factory, 'create')
  const entries = readEntries(place.folder)
  assert.deepEqual(
    entries.map(({ nonce }) => nonce),
    entries.map((_, index) => BEFORE_OTHER_USE + 1 + index),
  )
  assert.equal(new Set(entries.map(({ step }) => step)).size, entries.length)
})

test('a contract whose arguments changed since is refused, although its address is the same', async () => {
  const venue = JSON.parse(readFileSync(place.config, 'utf8')) as Record<string, unknown>
  const config = join(place.folder, 'other.json')
  writeFileSync(config, JSON.stringify({ ...venue, domainName: 'another' }))
  const { code, err } = await run({ ...place, config }, 'deploy', ['--yes'])
  assert.equal(code, 1)
  const { accounts } = readRecord(place.folder)
  assert.match(
    err,
    new RegExp(`^accounts was created at ${accounts}, but would now be different, at`),
  )
})

test('deployment.json is readable by every service, and the journal only by the operator', () => {
  const modeOf = (name: string) => (statSync(join(place.folder, name)).mode & 0o777).toString(8)
  assert.deepEqual([modeOf('deployment.json'), modeOf('journal.json')], ['644', '600'])
})
