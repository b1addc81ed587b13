import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import { until } from '@openvenue/core/test/until'
import { tableDump } from '@openvenue/store/maintenance/dump'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import type { AbiEvent } from 'viem'
import { AnvilPools } from '../test/anvil-pools.ts'
import { ANVIL_CHAIN_ID, AnvilVenue } from '../test/anvil-venue.ts'
import { loggerCode, TOKEN_CODES } from '../test/codes.ts'
import { encodeEvent } from '../test/encode.ts'
import { SeededRandom } from '../test/seeded-random.ts'
import { v2FactoryAbi, v2PairAbi, v3PoolAbi } from './amm-abi.ts'
import { createIndexer, type Indexer } from './indexer.ts'

const SEED = Number(process.env.POOLS_SEED ?? 5)
const BLOCKS = Number(process.env.POOLS_BLOCKS ?? 40)
const anyone = (byte: string) => `0x${byte.repeat(20)}`

describe('pools on a real anvil with the real contracts', () => {
  let venue: AnvilVenue
  let pools: AnvilPools
  let store: Store
  let fresh: Store
  const random = new SeededRandom(SEED)
  const running: Indexer[] = []

  before(async () => {
    ;[venue, store, fresh] = await Promise.all([
      AnvilVenue.start(),
      openMemoryStore(),
      openMemoryStore(),
    ])
    pools = await AnvilPools.on(venue)
  })
  after(async () => {
    await Promise.all(running.map((indexer) => indexer.stop()))
    await Promise.all([venue.stop(), store.close(), fresh.close()])
  })

  const start = (on: Store) => {
    const indexer = createIndexer({
      store: on,
      deployment: pools.deployment,
      chainId: ANVIL_CHAIN_ID,
      rpcUrls: [venue.url],
      rpcWsUrls: [venue.wsUrl],
      finalityBlocks: 64,
      lagMax: 20,
      log: pino({ level: 'silent' }),
    })
    running.push(indexer)
    indexer.start()
    return indexer
  }

  const synced = async (on: Store) => {
    const { hash, number } = await venue.head()
    const isStored = async () => (await on.writer.readHeader(number))?.hash === hash
    await until('the head is stored', isStored)
  }

  const freshDump = async () => {
    await fresh.writer.wipeChain()
    const indexer = start(fresh)
    await synced(fresh)
    await indexer.stop()
    return tableDump(fresh)
  }

  const loadRecords = async (on: Store) => (await on.writer.loadState()).records

  /** Compares every pool with the contracts at the head, field by field. */
  const assertTrue = async () => {
    const { pool, poolToken } = await loadRecords(store)
    const truths = await pools.truths()
    assert.deepEqual(
      [...pool.keys()].sort(),
      truths.map(({ address }) => address).sort(),
      'the pools are those of the factories',
    )
    for (const truth of truths) {
      const indexed = pool.get(truth.address)
      const fields = Object.keys(truth).map((name) => [name, indexed?.[name as keyof typeof truth]])
      assert.deepEqual(Object.fromEntries(fields), truth)
      assert.ok(poolToken.has(truth.token0) && poolToken.has(truth.token1))
    }
    return truths
  }

  test(`reserves, prices and liquidity equal the contracts after each of ${BLOCKS} random blocks`, async (t) => {
    t.diagnostic(`seed ${SEED} (set POOLS_SEED for another, POOLS_BLOCKS for more)`)
    let indexer = start(store)
    for (let block = 0; block < BLOCKS; block++) {
      await pools.act(random)
      await synced(store)
      await assertTrue()
      if (random.below(8) > 0) continue
      await indexer.stop()
      for (let missed = random.below(4); missed > 0; missed--) await pools.act(random)
      indexer = start(store)
      await synced(store)
      await assertTrue()
    }
    await indexer.stop()
    const truths = await assertTrue()
    for (const version of [2, 3]) {
      const filled = truths.filter((pool) => pool.version === version && pool.reserve0 > 0n)
      assert.ok(filled.length >= 2, `pools of version ${version} hold something`)
    }
    const dump = await tableDump(store)
    assert.ok(/^pool_hours /m.test(dump), 'there were swaps')
    assert.equal(dump, await freshDump())
  })

  for (const depth of [1, 12]) {
    test(`a reorg of depth ${depth} removes pools and adds others`, async () => {
      const [token = ''] = pools.tokens
      const gone = pools.createPairTx(token, anyone(`a${depth % 10}`))
      const come = pools.createPairTx(token, anyone(`b${depth % 10}`))
      const indexer = start(store)
      await pools.act(random)
      await pools.act(random, gone)
      for (let block = 1; block < depth; block++) await pools.act(random)
      await synced(store)
      const before = (await assertTrue()).map(({ address }) => address)
      await pools.reorg(depth, random, come)
      await pools.act(random)
      await synced(store)
      const now = (await assertTrue()).map(({ address }) => address)
      assert.ok(
        before.some((pool) => !now.includes(pool)) && now.some((pool) => !before.includes(pool)),
      )
      assert.equal(await tableDump(store), await freshDump())
      await indexer.stop()
    })
  }

  test('tokens that revert, never end or give invalid answers are stored with their answers', async () => {
    const [token = ''] = pools.tokens
    const indexer = start(store)
    const symbols: [string, object][] = []
    for (const [name, code] of Object.entries(TOKEN_CODES)) {
      const address = await venue.createFrom(code)
      await pools.act(random, pools.createPairTx(token, address))
      symbols.push([address, ANSWERS[name as keyof typeof ANSWERS](address)])
    }
    const odd = await venue.create(devTokenAbi, devTokenBytecode, ['a\n\u200bb', 'E\0T\u202eH', 6])
    await pools.act(random, pools.createPairTx(token, odd))
    // While anvil mines, it answers from the new block when asked about the head by its hash.
    await synced(store)
    await venue.mine([pools.mintTx(odd)])
    await synced(store)
    await assertTrue()
    const { poolToken } = await loadRecords(store)
    for (const [address, answers] of symbols)
      assert.deepEqual(poolToken.get(address), { address, ...answers })
    assert.equal(poolToken.get(odd)?.symbol, 'ET H')
    assert.equal(poolToken.get(odd)?.name, 'a b')
    const stored = poolToken.get(token)
    assert.match(stored?.symbol ?? '', /^T\d$/)
    assert.match(stored?.name ?? '', /^Token \d$/)
    assert.ok([6, 8, 18].includes(stored?.decimals ?? 0) && (stored?.totalSupply ?? 0n) > 0n)
    // A later read returns the token's answer at that block: it had no supply yet.
    assert.equal(poolToken.get(odd)?.totalSupply, 0n)
    assert.equal(await tableDump(store), await freshDump())
    await indexer.stop()
  })

  test('logs of other contracts that look like those of pools and factories change nothing', async () => {
    const [token = ''] = pools.tokens
    const [from = ''] = venue.wallets
    const indexer = start(store)
    await synced(store)
    const before = await loadRecords(store)
    for (const [topics, event, values] of LIES(token, [...before.pool.keys()][0] ?? '')) {
      const liar = await venue.createFrom(loggerCode(topics))
      const log = encodeEvent(event, values)
      const data = `0x${[...log.topics, log.data].map((hex) => hex.slice(2)).join('')}` as const
      await venue.mine([{ from, to: liar, data }])
      const [served] = (await venue.call('eth_getLogs', { address: liar })) as [typeof log]
      assert.deepEqual({ topics: served.topics, data: served.data }, log)
    }
    await synced(store)
    const after = await loadRecords(store)
    for (const kind of ['pool', 'poolToken', 'poolHour'] as const)
      assert.deepEqual(after[kind], before[kind])
    await assertTrue()
    await indexer.stop()
  })
})

const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
const silent = (address: string) => ({
  symbol: shorten(address),
  name: shorten(address),
  decimals: null,
  totalSupply: null,
})

/** Stored facts of each invalid token. */
const ANSWERS: Record<keyof typeof TOKEN_CODES, (address: string) => object> = {
  reverting: silent,
  endless: silent,
  invalid: silent,
  bomb: (address) => ({ ...silent(address), decimals: 0, totalSupply: 0n }),
  word: (address) => ({
    ...silent(address),
    symbol: 'A'.repeat(32),
    name: 'A'.repeat(32),
    totalSupply: BigInt(`0x${'41'.repeat(32)}`),
  }),
}

/** Events of pools and factories, with the number of their topics. */
const LIES = (token: string, pool: string): [number, AbiEvent, Record<string, unknown>][] => [
  [1, findEvent(v2PairAbi, 'Sync'), { reserve0: 1n, reserve1: 10n ** 30n }],
  [1, findEvent(v3PoolAbi, 'Initialize'), { sqrtPriceX96: 1n, tick: 5 }],
  [
    3,
    findEvent(v2FactoryAbi, 'PairCreated'),
    { token0: token, token1: token, pair: pool, count: 1n },
  ],
]

function findEvent(abi: readonly AbiEvent[], name: string): AbiEvent {
  const event = abi.find((item) => item.name === name)
  if (event === undefined) throw new Error(`there is an event ${name}`)
  return event
}
