// An attacker reads the deployment's transactions and sends them first. It costs gas and gains
// nothing: addresses depend on the code, and only its creator can set up the timelock.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { NETWORKS } from '@openvenue/core/networks'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { encodeFunctionData, type Hex, parseAbi, parseTransaction } from 'viem'
import { type ArcChain, createToken, sendFrom, startArcChain } from '../test/arc-chain.ts'
import { type DeploymentPaths, readEntries, readRecord, run } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { readVenueFile } from './config/read-venue.ts'
import { FACTORY, placeContracts } from './plan/contracts.ts'

const [DEPLOYER, STRANGER] = [9, 8]
const SET_UP = parseAbi([
  'function initialize(uint256 delay, address admin, address[] proposers, address[] executors, address[] cancellers)',
])

let chain: ArcChain
let paths: DeploymentPaths
before(async () => {
  chain = await startArcChain()
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  paths = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (paths !== undefined) rmSync(paths.folder, { recursive: true, force: true })
})

test('contracts created before the deployment began require another salt', async () => {
  const deployer = chain.wallets[DEPLOYER] as Hex
  const terms = readVenueFile(paths.config, NETWORKS.testnet)
  const placement = { deployer, factory: 'create2', nonce: 0 } as const
  const [, insurance] = placeContracts({ ...terms, salt: 'taken' }, placement)
  assert.ok(insurance?.to)
  const stranger = chain.wallets[STRANGER] as Hex
  await sendFrom(chain.rpc, { from: stranger, to: insurance.to, data: insurance.data })
  const config = join(paths.folder, 'taken.json')
  const venue = JSON.parse(readFileSync(paths.config, 'utf8')) as Record<string, unknown>
  writeFileSync(config, JSON.stringify({ ...venue, salt: 'taken' }))
  const { code, err } = await run({ ...paths, config }, 'deploy', ['--yes'])
  assert.equal(code, 1)
  assert.match(err, /^insurance already exists at 0x\w+: set another salt/)
})

test('an attacker who creates the contracts and tries to set up the timelock gains nothing', async () => {
  const stranger = chain.wallets[STRANGER] as Hex
  const seen = { creations: 0, refusals: 0 }
  chain.intercept(async (raw, forward) => {
    const { to, data = '0x' } = parseTransaction(raw as never) as { to?: Hex; data?: Hex }
    if (to?.toLowerCase() === FACTORY) {
      await sendFrom(chain.rpc, { from: stranger, to, data })
      seen.creations += 1
    } else if (to !== undefined && data.startsWith(INITIALIZE)) {
      const mine = encodeFunctionData({
        abi: SET_UP,
        args: [86_400n, `0x${'0'.repeat(40)}`, [stranger], [stranger], [stranger]],
      })
      await assert.rejects(sendFrom(chain.rpc, { from: stranger, to, data: mine }), /reverted/)
      seen.refusals += 1
    }
    return forward()
  })
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  chain.intercept(undefined)
  assert.equal(code, 0, `${out}${err}`)
  assert.deepEqual(seen, { creations: 12, refusals: 1 })
  const reverted = readEntries(paths.folder).filter(({ outcome }) => outcome?.isReverted)
  assert.equal(reverted.length, 12)
  const { contracts } = readRecord(paths.folder)
  assert.equal(contracts.spot?.tx, undefined)
  const again = await run(paths, 'deploy', ['--yes'])
  assert.match(again.out, /nothing to send/)
  assert.doesNotMatch(again.out, /timelock proposal/)
})

const INITIALIZE = encodeFunctionData({
  abi: SET_UP,
  args: [0n, `0x${'0'.repeat(40)}`, [], [], []],
}).slice(0, 10)
