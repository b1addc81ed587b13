// Somebody reads what a deployment sends and sends the same first. It costs them gas and brings
// them nothing: addresses say what stands there, and the timelock is set up by its creator alone.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { encodeFunctionData, type Hex, parseAbi, parseTransaction } from 'viem'
import { type ArcChain, createToken, sendFrom, startArcChain } from '../test/arc-chain.ts'
import { type Place, readEntries, readRecord, run } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { FACTORY } from './plan/contracts.ts'

const [DEPLOYER, STRANGER] = [9, 8]
const SET_UP = parseAbi([
  'function initialize(uint256 delay, address admin, address[] proposers, address[] executors, address[] cancellers)',
])

let chain: ArcChain
let place: Place
before(async () => {
  chain = await startArcChain()
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  place = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
})
after(async () => {
  await chain?.stop()
  if (place !== undefined) rmSync(place.folder, { recursive: true, force: true })
})

test('whoever creates the contracts first, and tries to set up the timelock, gains nothing', async () => {
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
  const { code, out, err } = await run(place, 'deploy', ['--yes'])
  chain.intercept(undefined)
  assert.equal(code, 0, `${out}${err}`)
  assert.deepEqual(seen, { creations: 11, refusals: 1 })
  const reverted = readEntries(place.folder).filter(({ outcome }) => outcome?.isReverted)
  assert.equal(reverted.length, 11)
  const { contracts } = readRecord(place.folder)
  assert.equal(contracts.spot?.tx, undefined)
  const again = await run(place, 'deploy', ['--yes'])
  assert.match(again.out, /nothing to send/)
  assert.doesNotMatch(again.out, /only a proposal/)
})

const INITIALIZE = encodeFunctionData({
  abi: SET_UP,
  args: [0n, `0x${'0'.repeat(40)}`, [], [], []],
}).slice(0, 10)
