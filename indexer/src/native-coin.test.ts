// A chain whose coin is also its collateral token, like Arc's: each movement is logged by the token
// in 6 decimals and by the chain in 18, with the same topic. The venue counts it once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { until } from '@openvenue/core/test/until'
import { TRANSFER_TYPES } from '@openvenue/store/history/account-history'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { AnvilPools } from '../test/anvil-pools.ts'
import { ANVIL_CHAIN_ID, AnvilVenue, encodeTx, type Tx } from '../test/anvil-venue.ts'
import {
  ARC_SYSTEM,
  ARC_USDC,
  arcTokenAbi,
  arcTokenBytecode,
  placeArcCoin,
} from '../test/arc-token.ts'
import { createIndexer, type Indexer } from './indexer.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const [DEPOSITED, WITHDRAWN, SENT] = [7_654_321n, 1_234_567n, 2_000_001n]
/** Ratio of eighteen decimals to six. */
const COIN_SCALE = 10n ** 12n
const TRADER = 5
const ENGINES = ['spot', 'perps'] as const

type Log = Readonly<{ address: string; data: Hex }>

describe('a coin that is a token too, logged twice', () => {
  let venue: AnvilVenue
  let pools: AnvilPools
  let store: Store
  let indexer: Indexer

  before(async () => {
    ;[venue, store] = await Promise.all([
      AnvilVenue.start({ createUsdc: createCoin }),
      openMemoryStore(),
    ])
    pools = await AnvilPools.on(venue)
    indexer = createIndexer({
      store,
      deployment: pools.deployment,
      chainId: ANVIL_CHAIN_ID,
      rpcUrls: [venue.url],
      rpcWsUrls: [venue.wsUrl],
      finalityBlocks: 2,
      lagMax: 20,
      log: pino({ level: 'silent' }),
    })
    indexer.start()
  })
  after(async () => {
    await indexer?.stop()
    await Promise.all([venue?.stop(), store?.close()])
  })

  /** Mines `txs`, and waits until the block is stored and its holdings are compared. */
  const mine = async (...txs: readonly Tx[]) => {
    const hashes = await venue.mine(txs)
    for (const hash of hashes) {
      const receipt = await venue.call('eth_getTransactionReceipt', hash)
      assert.equal((receipt as { status: string }).status, '0x1')
    }
    const { number, hash } = await venue.head()
    await until('the head is stored', async () => {
      return (await store.writer.readHeader(number))?.hash === hash
    })
    for (const engine of ENGINES)
      await until(`${engine} is compared`, async () => {
        return (await readGauge('compared_block', engine)) === number
      })
  }

  /** Reads a gauge of the collateral token. */
  async function readGauge(name: string, engine: string): Promise<number | undefined> {
    const { body } = await indexer.host.inject('/metrics')
    const line = body
      .split('\n')
      .find((log) =>
        [`openvenue_indexer_${name}{`, `engine="${engine}"`, ARC_USDC].every((part) =>
          log.includes(part),
        ),
      )
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }

  /** Returns the balance of an engine and the claims of all accounts, raw. */
  async function readHoldings(engine: (typeof ENGINES)[number]) {
    const { records } = await store.writer.loadState()
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [engineOf(engine) as Hex],
    })
    const balance = BigInt((await venue.call('eth_call', { to: ARC_USDC, data }, 'latest')) as Hex)
    const ofSpot = [...records.balance.values()].filter(({ token }) => token === ARC_USDC)
    const ofPerps = [...records.collateral.values()]
    const claimed =
      engine === 'spot'
        ? ofSpot.reduce((sum, { free, locked }) => sum + free + locked, 0n)
        : ofPerps.reduce((sum, { amount }) => sum + amount, 0n) / COIN_SCALE
    return { gift: balance - claimed, isCovered: await readGauge('is_covered', engine) }
  }

  /** Returns the transfer logs in the newest block, from any contract. */
  const readTransferLogs = async () => {
    const { hash } = await venue.head()
    const logs = (await venue.call('eth_getLogs', { blockHash: hash, topics: [TRANSFER] })) as Log[]
    return logs.map(({ address, data }) => ({ address, amount: BigInt(data) }))
  }

  const wallet = () => venue.wallets[TRADER] ?? ''
  const engineOf = (name: (typeof ENGINES)[number]) => venue.deployment[name]
  const onToken = (name: string, args: unknown[]) =>
    encodeTx(wallet(), ARC_USDC, [arcTokenAbi, name, args])
  const onEngine = (name: string, engine: string, args: unknown[]) =>
    encodeTx(wallet(), engine, [spotAbi, name, args])

  /** Returns the indexer's data of the trader: claims, and history with the oldest first. */
  async function readTrader() {
    const { records } = await store.writer.loadState()
    const { rows: number } = await store.history.accountNumber(wallet())
    assert.ok(number !== undefined)
    const ofTrader = <T extends Readonly<{ account: number }>>(rows: Iterable<T>) =>
      [...rows].filter((row) => row.account === number)
    const { rows } = await store.history.transfers({
      ...{ account: number, types: TRANSFER_TYPES, fromSeconds: 0, toSeconds: 2 ** 40 },
      ...{ isAscending: true, offset: 0, limit: 100 },
    })
    return {
      spot: ofTrader(records.balance.values()).map(({ free, locked }) => free + locked),
      perps: ofTrader(records.collateral.values()).map(({ amount }) => amount / COIN_SCALE),
      history: rows.map(({ type, engine, amount }) => ({ type, engine, amount })),
    }
  }

  test('a deposit that the chain logs twice counts once', async () => {
    await mine(onToken('mint', [wallet(), 10n * DEPOSITED]))
    for (const name of ENGINES) {
      const engine = engineOf(name)
      await mine(onToken('approve', [engine, DEPOSITED]))
      await mine(onEngine('deposit', engine, [ARC_USDC, DEPOSITED]))
      assert.deepEqual(await readTransferLogs(), [
        { address: ARC_SYSTEM, amount: DEPOSITED * COIN_SCALE },
        { address: ARC_USDC, amount: DEPOSITED },
      ])
    }
    const { history, ...balances } = await readTrader()
    assert.deepEqual(balances, { spot: [DEPOSITED], perps: [DEPOSITED] })
    assert.deepEqual(history, rowsOf('deposit', DEPOSITED))
    for (const name of ENGINES)
      assert.deepEqual(await readHoldings(name), { gift: 0n, isCovered: 1 })
  })

  test('a withdrawal that the chain logs twice counts once', async () => {
    for (const name of ENGINES) {
      await mine(onEngine('withdraw', engineOf(name), [ARC_USDC, WITHDRAWN, wallet()]))
      assert.deepEqual(
        (await readTransferLogs()).map(({ address }) => address),
        [ARC_SYSTEM, ARC_USDC],
      )
    }
    const { history, ...balances } = await readTrader()
    const left = DEPOSITED - WITHDRAWN
    assert.deepEqual(balances, { spot: [left], perps: [left] })
    assert.deepEqual(history.slice(ENGINES.length), rowsOf('withdraw', WITHDRAWN))
    for (const name of ENGINES)
      assert.deepEqual(await readHoldings(name), { gift: 0n, isCovered: 1 })
  })

  test('the coin that pays for gas can be deposited', async () => {
    const read = async () => {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [wallet() as Hex],
      })
      const [token, coins] = await Promise.all([
        venue.call('eth_call', { to: ARC_USDC, data }, 'latest'),
        venue.call('eth_getBalance', wallet(), 'latest'),
      ])
      return { token: BigInt(token as Hex), coins: BigInt(coins as Hex) }
    }
    const before = await read()
    await mine(onEngine('withdraw', engineOf('spot'), [ARC_USDC, 1n, wallet()]))
    const after = await read()
    assert.ok(after.coins < before.coins + COIN_SCALE, 'gas was paid')
    for (const { token, coins } of [before, after]) assert.equal(token, coins / COIN_SCALE)
  })

  test('coins sent to an engine are unclaimed and raise no alarm', async () => {
    const before = await readTrader()
    for (const [index, name] of ENGINES.entries()) {
      const amount = SENT + BigInt(index)
      await mine(onToken('sendCoin', [engineOf(name), amount]))
      assert.deepEqual(await readTransferLogs(), [
        { address: ARC_SYSTEM, amount: amount * COIN_SCALE },
      ])
      assert.deepEqual(await readHoldings(name), { gift: amount, isCovered: 1 })
    }
    assert.deepEqual(await readTrader(), before)
  })

  test('a pair with the native coin has the reserves of its own logs, counted once', async () => {
    const [other = ''] = pools.tokens
    await mine(pools.createPairTx(ARC_USDC, other))
    const [pair] = await pools.truths()
    assert.ok(pair)
    const give = encodeTx(venue.wallets[0] ?? '', other, [
      erc20Abi,
      'transfer',
      [pair.address, SENT],
    ])
    const mint = encodeTx(wallet(), pair.address, [PAIR_ABI, 'mint', [wallet()]])
    await mine(give, onToken('transfer', [pair.address, DEPOSITED]), mint)
    await mine(onToken('sendCoin', [pair.address, SENT]))
    const { pool } = (await store.writer.loadState()).records
    const [truth] = await pools.truths()
    assert.deepEqual([truth?.reserve0, truth?.reserve1].sort(), [SENT, DEPOSITED].sort())
    const { reserve0, reserve1 } = pool.get(pair.address) ?? {}
    assert.deepEqual([reserve0, reserve1], [truth?.reserve0, truth?.reserve1])
  })

  const rowsOf = (type: string, amount: bigint) =>
    ENGINES.map((name) => ({ type, engine: engineOf(name).toLowerCase(), amount }))
})

const PAIR_ABI = parseAbi(['function mint(address to) returns (uint256 liquidity)'])

/** Places the coin and its logger at Arc's addresses. */
async function createCoin(venue: AnvilVenue): Promise<string> {
  const made = await venue.create(arcTokenAbi, arcTokenBytecode, ['USD Coin', 'USDC', 6])
  await placeArcCoin((method, ...params) => venue.call(method, ...params), made)
  return ARC_USDC
}
