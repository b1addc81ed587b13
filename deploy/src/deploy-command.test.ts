// Steps of a deployment before the first transaction: the plan and the confirmation.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { type Hex, parseUnits } from 'viem'
import { type ArcChain, createToken, startArcChain } from '../test/arc-chain.ts'
import { type DeploymentPaths, run, start } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'

const DEPLOYER = 9
const FLOOR_GWEI = 20n

let chain: ArcChain
let paths: DeploymentPaths
before(async () => {
  chain = await startArcChain()
  chain.charge([FLOOR_GWEI])
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  paths = { chain, folder: join(folder, 'made'), config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (paths !== undefined) rmSync(join(paths.folder, '..'), { recursive: true, force: true })
})

const countSent = () =>
  chain.rpc.call('eth_getTransactionCount', chain.wallets[DEPLOYER], 'latest').then(Number)

/** Answers the question with `answer`, then closes the input. */
async function deployAnswering(answer: string) {
  const { child, ended } = start(paths, 'deploy')
  child.stdin?.end(`${answer}\n`)
  return ended
}

describe('deploy', () => {
  for (const answer of ['no', 'y', ''])
    test(`a deployment answered with "${answer}" sends nothing and leaves no journal`, async () => {
      const { code, out, err } = await deployAnswering(answer)
      assert.equal(code, 1, err)
      assert.match(out, /\nsend this\? \(yes\/no\) $/)
      assert.equal(await countSent(), 0)
      assert.deepEqual(readdirSync(paths.folder), [])
    })

  test('a dry run without a key or deployer prints a warning, and its cost matches its gas', async () => {
    const { key: _, ...keyless } = paths
    const { code, out, err } = await run(keyless, 'deploy', ['--dry-run'])
    assert.equal(code, 0, err)
    assert.match(out, /^no deployer given \(--from\): final addresses will differ$/m)
    const [, gas = '', base = '', offered = ''] =
      /^gas at most (\d+), base fee (\d+) gwei, offered (\d+) gwei$/m.exec(out) ?? []
    assert.deepEqual([base, offered], [String(FLOOR_GWEI), String(2n * FLOOR_GWEI + 1n)])
    const [, now = '', most = ''] =
      /^cost about ([\d.]+) USDC, at most ([\d.]+) USDC$/m.exec(out) ?? []
    const cost = (gwei: bigint) => BigInt(gas) * parseUnits(String(gwei), 9)
    assert.equal(parseUnits(now, 18), cost(FLOOR_GWEI + 1n))
    assert.equal(parseUnits(most, 18), cost(2n * FLOOR_GWEI + 1n))
    assert.match(out, /^deployer balance 0 USDC$/m)
    const open = out.split('\n').filter((line) => / -> /.test(line))
    assert.equal(`${open.length}`, /(\d+) to do/.exec(out)?.[1])
    assert.ok(open.includes('  governance roles and delay: none -> set'))
    assert.ok(open.includes('  list ETH-PERP: not listed -> market 1 of perps'))
  })

  test('a deployment is refused while another process works in its folder', async () => {
    mkdirSync(paths.folder, { recursive: true })
    const claim = join(paths.folder, `claim-${process.pid}.pid`)
    writeFileSync(claim, '')
    const { code, err } = await start(paths, 'deploy', ['--yes']).ended
    assert.equal(code, 1)
    assert.equal(err, `${paths.folder} is in use by process ${process.pid}\n`)
    assert.ok(existsSync(claim))
    assert.equal(await countSent(), 0)
    rmSync(claim)
  })

  test('a deployment is refused when the deployer has less than its maximum cost', async () => {
    const wallet = chain.wallets[DEPLOYER]
    await chain.rpc.call('anvil_setBalance', wallet, '0xde0b6b3a7640000')
    const { code, err } = await run(paths, 'deploy', ['--yes'])
    assert.equal(code, 1)
    assert.match(
      err,
      /^balance of 0x\w{40} is too low: got 1000000000000000000 wei, expected at least \d+ wei$/m,
    )
    assert.equal(await countSent(), 0)
  })
})
