// Deposit caps of the real contracts: stored caps equal the engines', the remaining room is the
// largest possible deposit, and forks undo changes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { accountRoom, totalRoom } from '@openvenue/core/custody'
import { min } from '@openvenue/core/integers'
import type { Custody } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { ANVIL_CHAIN_ID, AnvilVenue, encodeTx, type Tx } from '../test/anvil-venue.ts'
import { createIndexer, type Indexer } from './indexer.ts'

const CAP_NONE = 2n ** 96n - 1n
/** Indexes of funded wallets. */
const TRADER = 1
const STRANGER = 5
const HELD = 10n ** 24n

describe('caps on deposits', () => {
  let venue: AnvilVenue
  let store: Store
  let indexer: Indexer
  before(async () => {
    ;[venue, store] = await Promise.all([AnvilVenue.start(), openMemoryStore()])
    indexer = createIndexer({
      store,
      deployment: venue.deployment,
      chainId: ANVIL_CHAIN_ID,
      rpcUrls: [venue.url],
      rpcWsUrls: [venue.wsUrl],
      finalityBlocks: 64,
      lagMax: 20,
      log: pino({ level: 'silent' }),
    })
    indexer.start()
  })
  after(async () => {
    await indexer.stop()
    await Promise.all([venue.stop(), store.close()])
  })

  const wallet = (index: number) => venue.wallets[index] ?? ''
  const engines = () => [venue.deployment.spot, venue.deployment.perps] as const
  const setCap = (engine: string, total: bigint, perAccount: bigint) =>
    encodeTx(wallet(0), engine, [perpsAbi, 'setDepositCap', [venue.usdc, total, perAccount]])
  const deposit = (index: number, engine: string, amount: bigint) =>
    encodeTx(wallet(index), engine, [spotAbi, 'deposit', [venue.usdc, amount]])
  const withdraw = (engine: string, amount: bigint) =>
    encodeTx(wallet(TRADER), engine, [spotAbi, 'withdraw', [venue.usdc, amount, wallet(TRADER)]])
  const mint = (index: number, amount: bigint) =>
    encodeTx(wallet(0), venue.usdc, [devTokenAbi, 'mint', [wallet(index), amount]])
  const approve = (index: number, engine: string, amount: bigint) =>
    encodeTx(wallet(index), venue.usdc, [devTokenAbi, 'approve', [engine, amount]])

  const view = async <T>(to: string, abi: Abi, functionName: string, args: unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    const answer = (await venue.call('eth_call', { to, data }, 'latest')) as Hex
    return decodeFunctionResult({ abi, functionName, data: answer }) as T
  }
  const isTaken = (tx: Tx) =>
    venue.call('eth_call', tx, 'latest').then(
      () => true,
      () => false,
    )

  const synced = async (): Promise<VenueState> => {
    const { hash, number } = await venue.head()
    await until('the head is stored', async () => {
      return (await store.writer.readHeader(number))?.hash === hash
    })
    return store.writer.loadState()
  }

  const custodyOf = (state: VenueState, engine: string): Custody => {
    const key = `${engine.toLowerCase()}|${venue.usdc.toLowerCase()}`
    const custody = state.records.custody.get(key)
    assert.ok(custody !== undefined, key)
    return custody
  }

  /** Simulates deposits of the remaining room and of one unit more. */
  const compareRoom = async (state: VenueState, custody: Custody, index: number) => {
    const { engine } = custody
    const account = await view<number>(venue.deployment.accounts, accountsAbi, 'accountOf', [
      wallet(index),
    ])
    const rooms = [totalRoom(custody), accountRoom(state, custody, account || undefined)]
    const room = rooms.reduce(
      (least: bigint, cap) => (cap === null ? least : min(least, cap)),
      HELD,
    )
    if (room > 0n) assert.ok(await isTaken(deposit(index, engine, room)), `${index} ${room}`)
    if (room < HELD) assert.ok(!(await isTaken(deposit(index, engine, room + 1n))))
  }

  /** Compares the caps of both engines, and each room with the deposits around it. */
  const compare = async () => {
    const state = await synced()
    for (const engine of engines()) {
      const custody = custodyOf(state, engine)
      const caps = await view<readonly [bigint, bigint]>(engine, perpsAbi, 'depositCapOf', [
        venue.usdc,
      ])
      const { totalCap, accountCap, held } = custody
      assert.deepEqual([totalCap ?? CAP_NONE, accountCap ?? CAP_NONE], caps)
      assert.equal(held, await view(venue.usdc, devTokenAbi, 'balanceOf', [engine]))
      for (const index of [TRADER, STRANGER]) await compareRoom(state, custody, index)
    }
  }

  test('deposit caps equal those of each engine, and the room left is the largest deposit', async () => {
    await venue.mine(
      [TRADER, STRANGER].flatMap((index) => [
        mint(index, 2n * HELD),
        ...engines().map((engine) => approve(index, engine, 2n * HELD)),
      ]),
    )
    await compare()
    const [spot, perps] = engines()
    const balance = await view<bigint>(venue.usdc, devTokenAbi, 'balanceOf', [perps])
    await venue.mine([setCap(perps, balance + 7n, CAP_NONE), setCap(spot, CAP_NONE, HELD + 3n)])
    await compare()
    await venue.mine([deposit(STRANGER, perps, 7n), deposit(TRADER, spot, 3n)])
    await compare()
    await venue.mine([withdraw(perps, 5n), withdraw(spot, 2n)])
    await compare()
    await venue.mine([setCap(perps, 0n, 0n), setCap(spot, CAP_NONE, CAP_NONE)])
    await compare()
  })

  test('deposit caps change back with the blocks that a fork undoes', async () => {
    const [, perps] = engines()
    await venue.mine([setCap(perps, 4n * HELD, 2n * HELD)])
    await compare()
    await venue.mine([setCap(perps, 5n, 6n)])
    assert.equal(custodyOf(await synced(), perps).totalCap, 5n)
    await venue.replace([[]])
    assert.equal(custodyOf(await synced(), perps).totalCap, 4n * HELD)
    await compare()
  })
})
