// Reports of a price network, read by the real contract from a feed that the test sets.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  chainlinkSourceAbi,
  chainlinkSourceBytecode,
} from '@openvenue/contracts/abi/chainlink-source'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { until } from '@openvenue/core/test/until'
import {
  type Abi,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  stringToHex,
  zeroAddress,
} from 'viem'
import { LiveVenue, OWNER, only } from '../test/live-venue.ts'
import type { Keeper } from './keeper.ts'

/** Rounds that must send nothing. Four, since the first of them may already be running. */
const ROUNDS = 4
/** `PriceStatus` of the contracts. */
const ACCEPTED = 1
const REFUSED = 4
const ETH = stringToHex('ETH', { size: 32 })
const FEED = `0x${'fe'.repeat(20)}`
/** decimals() returns 8; any other call returns a round: 1, slot 0 (price), 0, slot 1 (time), 1. */
const FEED_CODE =
  '0x60003560e01c63313ce56714602f57600160005260005460205260006040526001546060526001608052' +
  '60a06000f35b600860005260206000f3'

describe('a keeper whose asset has a network for its source', () => {
  let live: LiveVenue
  let keeper: Keeper
  before(async () => {
    live = await LiveVenue.start()
    const { venue } = live
    const [oracle = ''] = live.deployment.oracles
    const owner = venue.wallets[OWNER]
    const source = await venue.create(chainlinkSourceAbi as Abi, chainlinkSourceBytecode, [
      oracle,
      owner,
      zeroAddress, // The chain has no sequencer.
    ])
    await venue.call('anvil_setCode', FEED, FEED_CODE)
    await live.send([
      live.tx(OWNER, source, [chainlinkSourceAbi as Abi, 'setFeed', [ETH, FEED]]),
      live.tx(OWNER, oracle, [pushOracleAbi as Abi, 'setSource', [ETH, source]]),
    ])
    live.mineEverySecond()
    keeper = live.keeper(only('reports'))
    keeper.start()
    await live.leads(keeper)
  })
  after(() => live.stop())

  /** Sets the network's price in whole dollars, observed now. */
  const say = async (dollars: bigint) => {
    const { seconds } = await live.venue.head()
    const store = (slot: number, value: bigint) =>
      live.venue.call(
        'anvil_setStorageAt',
        FEED,
        numberToHex(slot, { size: 32 }),
        numberToHex(value, { size: 32 }),
      )
    await store(1, BigInt(seconds))
    await store(0, dollars * 10n ** 8n)
  }
  const nonce = () => live.nonce(OWNER)
  const status = async () => {
    const { venue, deployment } = live
    const data = encodeFunctionData({ abi: pushOracleAbi, functionName: 'read', args: [ETH] })
    const to = deployment.oracles[0]
    const result = (await venue.call('eth_call', { to, data }, 'latest')) as Hex
    return decodeFunctionResult({ abi: pushOracleAbi, functionName: 'read', data: result })[3]
  }
  const knows = (dollars: bigint) =>
    until(`the oracle knows ${dollars}`, async () => (await live.index()) === dollars)

  test('the keeper reports a new price of the network, and sends nothing while there is none', async () => {
    await say(3_100n)
    await knows(3_100n)
    const sent = await nonce()
    await live.waitForRounds(keeper, 'reports', ROUNDS)
    assert.equal(await nonce(), sent)
  })

  test('the keeper reports a price jump once, and again when the network repeats it', async () => {
    await say(2_000n)
    const before = await nonce()
    await until('it was reported', async () => (await nonce()) > before)
    const sent = await nonce()
    await live.waitForRounds(keeper, 'reports', ROUNDS)
    assert.equal(await nonce(), sent, 'a jump that is held is not reported all the time')
    await say(2_001n)
    await knows(2_001n)
  })

  test('a network price that must not be used puts the price of the oracle in doubt, once', async () => {
    const before = await nonce()
    await say(0n)
    await until('the price is in doubt', async () => (await status()) === REFUSED)
    await live.waitForRounds(keeper, 'reports', ROUNDS)
    assert.equal(await nonce(), before + 1)
    await say(2_010n)
    await knows(2_010n)
    await until('it counts again', async () => (await status()) === ACCEPTED)
  })
})
