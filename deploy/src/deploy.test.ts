// Deploys a venue to a fresh chain that behaves like Arc, in a process that is killed again and
// again. DEPLOY_KILLS=all kills it before and after each transaction and each write of a file;
// DEPLOY_FACTORY=none does so where contracts get their addresses from the deployer's nonces.
import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { type Abi, type Hex, parseTransaction } from 'viem'
import { type ArcChain, createToken, startArcChain } from '../test/arc-chain.ts'
import {
  type DeploymentPaths,
  killAtSend,
  killAtWrite,
  readEntries,
  readRecord,
  run,
} from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { Chain } from './chain/chain.ts'
import { NO_ADDRESS } from './config/venue-terms.ts'
import { FACTORY } from './plan/contracts.ts'

const DEPLOYER = 9
/** The kind, count and side (before or after) of each kill: a transaction or write of a run. */
const FEW_KILLS = [
  [killAtWrite, 1, 'before'],
  [killAtWrite, 1, 'after'],
  [killAtSend, 1, 'before'],
  [killAtSend, 1, 'after'],
  [killAtWrite, 10, 'before'],
  [killAtSend, 6, 'after'],
  [killAtSend, 13, 'after'],
] as const
/** The moments of a transaction: it is recorded, sent, and its receipt recorded. */
const EACH_KILL = [
  [killAtWrite, 1, 'before'],
  [killAtWrite, 1, 'after'],
  [killAtSend, 1, 'before'],
  [killAtSend, 1, 'after'],
  [killAtWrite, 1, 'before'],
  [killAtWrite, 1, 'after'],
] as const
const STEPS_MAX = 60
const HAS_FACTORY = process.env.DEPLOY_FACTORY !== 'none'

let chain: ArcChain
let paths: DeploymentPaths
let deployer: Hex
before(async () => {
  chain = await startArcChain()
  if (!HAS_FACTORY) await chain.rpc.call('anvil_setCode', FACTORY, '0x')
  deployer = (chain.wallets[DEPLOYER] as Hex).toLowerCase() as Hex
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  paths = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (paths !== undefined) rmSync(paths.folder, { recursive: true, force: true })
})

const countSent = async () =>
  Number(await chain.rpc.call('eth_getTransactionCount', deployer, 'latest'))

const inPlan = (out: string) => Number(/(\d+) to do/.exec(out)?.[1])

let planned = 0
test('a dry run prints steps and cost, needs no key, and sends nothing', async () => {
  const { key, ...keyless } = paths
  const { code, out } = await run(keyless, 'deploy', ['--dry-run', '--from', deployer])
  assert.equal(code, 0)
  planned = inPlan(out)
  assert.ok(planned > 25, out)
  assert.match(out, /cost about \d+\.\d+ USDC, at most \d+\.\d+ USDC/)
  assert.match(
    out,
    HAS_FACTORY ? /spot +0x\w{40} +by CREATE2/ : /spot +0x\w{40} +by the deployer's nonce/,
  )
  assert.equal(await countSent(), 0)
  assert.match(key ?? '', /^0x/)
})

test('a deployment killed at any moment resumes, and sends no transaction twice', async (t) => {
  if (process.env.DEPLOY_KILLS === 'all') await killEverywhere((text) => t.diagnostic(text))
  else
    for (const [kill, times, moment] of FEW_KILLS)
      assert.equal((await kill(paths, times, moment)).code, 'SIGKILL')
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
  const entries = readEntries(paths.folder)
  assert.equal(await countSent(), planned)
  assert.equal(entries.length, planned)
  assert.deepEqual(
    entries.map(({ nonce }) => nonce),
    entries.map((_, index) => index),
  )
  assert.equal(new Set(entries.map(({ step }) => step)).size, planned)
  assert.ok(entries.every(({ outcome }) => outcome?.isReverted === false))
})

/** Each run resumes where the previous one was killed, and gets one moment further. */
async function killEverywhere(diagnose: (text: string) => void): Promise<void> {
  for (let kills = 0; kills < EACH_KILL.length * STEPS_MAX; kills += 1) {
    const [kill, times, moment] = EACH_KILL[kills % EACH_KILL.length] ?? EACH_KILL[0]
    const { code, out, err } = await kill(paths, times, moment)
    if (code === 0) {
      diagnose(`killed ${kills} times`)
      // Before and after each of three moments of each transaction, and of deployment.json.
      assert.ok(kills >= EACH_KILL.length * planned, `${kills} kills`)
      return
    }
    assert.equal(code, 'SIGKILL', `${out}${err}`)
  }
  assert.fail('the deployment never completed')
}

test('a second deploy changes nothing', async () => {
  const path = join(paths.folder, 'deployment.json')
  const written = readFileSync(path, 'utf8')
  const { code, out } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0)
  assert.match(out, /nothing to send/)
  assert.doesNotMatch(out, /timelock proposal/)
  assert.equal(await countSent(), planned)
  assert.equal(readFileSync(path, 'utf8'), written)
})

test('gas limits exceed the gas used by each step, by a factor of at most four', () => {
  for (const { step, attempts, outcome } of readEntries(paths.folder)) {
    const { gas = 0n } = parseTransaction(attempts[0]?.raw as never) as { gas?: bigint }
    const used = BigInt(outcome?.gasUsed ?? 0)
    assert.ok(used * 100n <= gas * 90n, `${step} took ${used} of ${gas}`)
    assert.ok(used * 4n >= gas, `${step} took ${used} of ${gas}`)
  }
})

test('the deployer ends without ownership, offers or roles', async () => {
  const reader = new Chain(chain.url)
  const { contracts, governance } = readRecord(paths.folder)
  const owned = Object.entries(contracts).filter(([name]) => !UNOWNED.has(name))
  for (const [name, { address }] of owned) {
    const read = (functionName: string) =>
      reader.read<string>({ abi: OWNED, address, functionName })
    assert.equal((await read('owner'))?.toLowerCase(), governance, name)
    assert.equal(await read('pendingOwner'), NO_ADDRESS, name)
  }
  assert.deepEqual(
    owned.map(([name]) => name),
    ['insurance', 'fees', 'oracle', 'pythSource', 'chainlinkSource', 'spot', 'perps'],
  )
  const holders = (role: bigint) =>
    reader.read<readonly string[]>({
      abi: governanceAbi as Abi,
      address: governance,
      functionName: 'roleHolders',
      args: [role],
    })
  const [admins, ...others] = await Promise.all([0n, 1n, 2n, 3n].map(holders))
  assert.deepEqual(admins, [])
  const holderAddresses = others.flat().map((holder) => String(holder).toLowerCase())
  assert.equal(holderAddresses.length, 3)
  assert.ok(!holderAddresses.includes(deployer))
  for (const name of ['oracle', 'spot', 'perps']) {
    const { address = NO_ADDRESS } = contracts[name] ?? {}
    const guardian = await reader.read<string>({ abi: OWNED, address, functionName: 'guardian' })
    assert.notEqual(guardian?.toLowerCase(), deployer)
  }
})

/** Contracts without an owner, which have no privileged functions. */
const UNOWNED = new Set(['governance', 'accounts', 'marks', 'liquidation', 'perpsAdmin', 'lens'])
const view = (name: string) =>
  ({
    type: 'function',
    name,
    inputs: [],
    outputs: [{ type: 'address' }],
    stateMutability: 'view',
  }) as const
const OWNED: Abi = [view('owner'), view('pendingOwner'), view('guardian')]

test('deploy refuses changed arguments of a contract that it has created', async () => {
  const venue = JSON.parse(readFileSync(paths.config, 'utf8')) as Record<string, unknown>
  const config = join(paths.folder, 'other.json')
  writeFileSync(config, JSON.stringify({ ...venue, domainName: 'another' }))
  const { code, err } = await run({ ...paths, config }, 'deploy', ['--yes'])
  assert.equal(code, 1)
  assert.match(err, /^accounts was created at 0x[0-9a-f]{40}, but would now differ, at 0x/)
  assert.equal(await countSent(), planned)
})

test('deploy refuses to deploy a venue again when its journal is missing', async () => {
  const path = join(paths.folder, 'journal.json')
  renameSync(path, `${path}.away`)
  const { code, err } = await run(paths, 'deploy', ['--yes'])
  renameSync(`${path}.away`, path)
  assert.equal(code, 1)
  assert.match(err, new RegExp(`its timelock is ${readRecord(paths.folder).governance}`))
  assert.equal(await countSent(), planned)
})

test('deploy names the roles that the deployer must not hold', async () => {
  const venue = JSON.parse(readFileSync(paths.config, 'utf8')) as Record<string, unknown>
  const config = join(paths.folder, 'roles.json')
  writeFileSync(config, JSON.stringify({ ...venue, guardian: deployer }))
  const { code, err } = await run({ ...paths, config }, 'deploy', ['--yes'])
  assert.equal(code, 1)
  assert.match(
    err,
    /^guardian is invalid: got 0x\w{40}, expected an address other than the deployer$/m,
  )
})
