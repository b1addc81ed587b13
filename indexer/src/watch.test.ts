import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import {
  encodeLog,
  fakeAddress,
  POOLS_DEPLOYMENT,
  PoolChain,
  pairCreated,
  synced,
  V3_FACTORY,
} from '../test/pool-chain.ts'
import { FAKE_DEPLOYMENT, type VenueLog } from '../test/venue.ts'
import { assembleBlocks } from './assemble-blocks.ts'
import { Blooms } from './bloom.ts'
import { compileEvents } from './events.ts'
import { readRanges } from './ranges.ts'
import { TokenReader } from './token-facts.ts'
import { POOLS_MAX, Watch } from './watch.ts'

const [ETH, USDC, WBTC] = [1, 2, 3].map((index) => fakeAddress('70', index)) as [
  string,
  string,
  string,
]
const pair = (index: number) => fakeAddress('9a', index)

const makeWatch = (chain: PoolChain, state: VenueState, deployment = POOLS_DEPLOYMENT) => {
  const { rpc } = chain
  const reading = { rpc, tokens: new TokenReader(rpc), blooms: new Blooms(), onShort: () => {} }
  return new Watch({ ...reading, events: compileEvents(deployment) }, state)
}

type Span = Readonly<{ from: number; to: number; headers?: 'logged' | 'all' }>

/** Reads and applies blocks like a backfill. */
async function fill(chain: PoolChain, state: VenueState, { from, to, headers = 'logged' }: Span) {
  const watch = makeWatch(chain, state)
  const ranges = { rpc: chain.rpc, select: () => watch.selectLogs(), from, to, headers }
  for await (const read of readRanges(ranges)) {
    const whole = await watch.complete(read)
    for (const block of assembleBlocks(whole.headers, whole.logs, watch.decodeLog))
      applyBlock(state, block)
  }
}

/** Reads and applies the newest block as at the tip. */
async function addHead(chain: PoolChain, state: VenueState) {
  const watch = makeWatch(chain, state)
  const read = await watch.readHead(chain.head)
  for (const block of assembleBlocks(read.headers, read.logs, watch.decodeLog))
    applyBlock(state, block)
}

const listReserves = (state: VenueState) =>
  [...state.records.pool.values()].map(({ address, reserve0 }) => [address, Number(reserve0)])

/** 400 blocks, with three ranges read at once; each range announces a pool that is used later. */
function announcingChain(): PoolChain {
  const chain = new PoolChain()
  for (let block = 1; block <= 400; block++) {
    const at = (block - 1) % 40
    const newest = pair(block - at)
    const logs = at === 0 ? [pairCreated(newest, ETH, USDC)] : [synced(newest, BigInt(block), 1n)]
    if (block % 7 === 0) logs.push(synced(pair(1), BigInt(block), 1n))
    chain.mine(logs)
  }
  return chain
}

describe('the watch of pools', () => {
  test('a pool is watched from its announcement on, within the rest of the block at the tip', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    chain.mine([pairCreated(pair(1), ETH, USDC), synced(pair(1), 5n, 6n), synced(pair(1), 7n, 8n)])
    await addHead(chain, state)
    assert.deepEqual(listReserves(state), [[pair(1), 7]])
    assert.equal(chain.requests.length, 2)
  })

  test('logs of pools take one request while no pool is new', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    chain.mine([pairCreated(pair(1), ETH, USDC)])
    await addHead(chain, state)
    chain.requests.length = 0
    chain.mine([synced(pair(1), 9n, 9n)])
    await addHead(chain, state)
    assert.deepEqual(listReserves(state), [[pair(1), 9]])
    assert.equal(chain.requests.length, 1)
  })

  for (const headers of ['logged', 'all'] as const) {
    test(`a pool is watched in the rest of its range and in ranges read ahead (${headers} headers)`, async () => {
      const chain = announcingChain()
      const state = emptyState()
      await fill(chain, state, { from: 1, to: 400, headers })
      const expected = Array.from({ length: 10 }, (_, index) => [
        pair(1 + index * 40),
        40 + index * 40,
      ])
      expected[0] = [pair(1), 399]
      assert.deepEqual(listReserves(state), expected)
      assert.equal(state.head?.number, 400)
    })
  }

  test('watched pools are the same block by block, in one range, and after a stop anywhere', async () => {
    const chain = new PoolChain()
    for (let block = 1; block <= 60; block++) {
      const made = Math.ceil(block / 3)
      const logs: VenueLog[] = block % 3 === 1 ? [pairCreated(pair(made), ETH, WBTC)] : []
      for (let pairIndex = 1; pairIndex <= made; pairIndex += 2)
        logs.push(synced(pair(pairIndex), BigInt(block * pairIndex), 1n))
      chain.mine(logs)
    }
    const whole = emptyState()
    await fill(chain, whole, { from: 1, to: 60 })
    for (const stop of [1, 17, 30, 59]) {
      const state = emptyState()
      await fill(chain, state, { from: 1, to: stop })
      await fill(chain, state, { from: stop + 1, to: 60 })
      assert.deepEqual(state.records, whole.records)
    }
    const states = emptyState()
    for (let block = 1; block <= 60; block++)
      await fill(chain, states, { from: block, to: block, headers: 'all' })
    assert.deepEqual(states.records, whole.records)
  })

  test('logs of pools are read in parts when the node cannot answer: fewer blocks, then contracts', async () => {
    const chain = new PoolChain()
    const pairs = Array.from({ length: 8 }, (_, index) => pair(index + 1))
    chain.mine(pairs.map((address) => pairCreated(address, ETH, USDC)))
    for (let block = 2; block <= 60; block++)
      chain.mine(pairs.map((address, index) => synced(address, BigInt(block * 10 + index), 1n)))
    const expected = pairs.map((address, index) => [address, 600 + index])
    for (const logsMax of [8, 40]) {
      chain.logsMax = logsMax
      const state = emptyState()
      await fill(chain, state, { from: 1, to: 60 })
      assert.deepEqual(listReserves(state), expected)
    }
    chain.logsMax = Number.POSITIVE_INFINITY
    chain.addressesMax = 7
    const state = emptyState()
    await fill(chain, state, { from: 1, to: 60 })
    assert.deepEqual(listReserves(state), expected)
    chain.mine([synced(pair(8), 5n, 5n)])
    await addHead(chain, state)
    assert.deepEqual(listReserves(state).at(-1), [pair(8), 5])
  })

  test('thousands of pools are requested by address, 500 at a time, in one request', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    const count = 3200
    for (let made = 0; made < count; made += 800)
      chain.mine(Array.from({ length: 800 }, (_, at) => pairCreated(pair(made + at), ETH, USDC)))
    await fill(chain, state, { from: 1, to: chain.head.number })
    chain.requests.length = 0
    chain.mine([synced(pair(1), 1n, 1n), synced(pair(count - 1), 2n, 2n)])
    await addHead(chain, state)
    assert.equal(chain.requests.length, 1)
    const sizes = chain.requests[0]?.map(({ address }) => address.length)
    assert.deepEqual(sizes?.slice(1), [500, 500, 500, 500, 500, 500, 200])
    assert.equal(state.records.pool.get(pair(count - 1))?.reserve0, 2n)
  })

  test('a token is read once, however many pools have it', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    chain.mine([pairCreated(pair(1), ETH, USDC), pairCreated(pair(2), ETH, WBTC)])
    chain.mine([pairCreated(pair(3), USDC, WBTC)])
    await fill(chain, state, { from: 1, to: 2 })
    assert.equal(chain.tokenCalls, 3 * 4)
    chain.mine([pairCreated(pair(4), ETH, WBTC)])
    await addHead(chain, state)
    assert.equal(chain.tokenCalls, 3 * 4)
    assert.deepEqual([...state.records.poolToken.keys()], [ETH, USDC, WBTC])
  })

  const liar = fakeAddress('11', 1)
  const foreign: [string, (chain: PoolChain) => VenueLog[]][] = [
    [
      'a log before the announcement of its pool',
      () => [synced(pair(1), 9n, 9n), pairCreated(pair(1), ETH, USDC)],
    ],
    [
      'a second announcement of a pool',
      () => [
        pairCreated(pair(1), ETH, USDC),
        encodeLog(V3_FACTORY, 'v3Factory', 'PoolCreated', {
          token0: ETH,
          token1: WBTC,
          fee: 500,
          tickSpacing: 10,
          pool: pair(1),
        }),
      ],
    ],
    [
      'an announcement by a contract that is not a factory',
      () => [
        pairCreated(pair(1), ETH, USDC),
        { ...pairCreated(pair(2), ETH, USDC), address: liar },
        synced(pair(2), 1n, 1n),
      ],
    ],
    [
      'an announcement of a contract of the venue, or of a factory',
      () => [
        pairCreated(FAKE_DEPLOYMENT.spot, ETH, USDC),
        pairCreated(V3_FACTORY, ETH, USDC),
        pairCreated(pair(1), ETH, USDC),
      ],
    ],
    [
      'an announcement by a factory of the other version',
      () => [
        { ...pairCreated(pair(2), ETH, USDC), address: V3_FACTORY },
        pairCreated(pair(1), ETH, USDC),
      ],
    ],
    [
      'a log of another size than its event, or of the other version',
      () => [
        pairCreated(pair(1), ETH, USDC),
        { ...synced(pair(1), 9n, 9n), data: '0x01' },
        encodeLog(pair(1), 'pool', 'Initialize', { sqrtPriceX96: 1n, tick: 1 }),
      ],
    ],
  ]
  for (const [title, logs] of foreign) {
    test(`the watch of pools ignores ${title}`, async () => {
      const chain = new PoolChain()
      chain.mine(logs(chain))
      const tip = emptyState()
      await addHead(chain, tip)
      assert.deepEqual(listReserves(tip), [[pair(1), 0]])
      assert.equal(tip.records.pool.get(pair(1))?.token1, USDC)
      const filled = emptyState()
      await fill(chain, filled, { from: 1, to: 1 })
      assert.deepEqual(filled.records, tip.records)
    })
  }

  test('a stored pool keeps the terms of its first announcement', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    for (const token of [USDC, WBTC]) {
      chain.mine([pairCreated(pair(1), ETH, token)])
      await addHead(chain, state)
    }
    assert.equal(state.records.pool.get(pair(1))?.token1, USDC)
  })

  test(`only the first ${POOLS_MAX} pools are watched`, async () => {
    const chain = new PoolChain()
    const state = emptyState()
    chain.mine([pairCreated(pair(0), ETH, USDC)])
    await addHead(chain, state)
    const pool = state.records.pool.get(pair(0))
    assert.ok(pool)
    for (let made = 1; made < POOLS_MAX - 1; made++)
      state.records.pool.set(pair(made), { ...pool, address: pair(made) })
    const [last, late] = [pair(POOLS_MAX), pair(POOLS_MAX + 1)]
    chain.mine([pairCreated(last, ETH, USDC), pairCreated(late, ETH, USDC), synced(late, 1n, 1n)])
    await addHead(chain, state)
    assert.ok(state.records.pool.has(last) && !state.records.pool.has(late))
  })

  test("without factories and pools, the venue's logs take a single call", async () => {
    const chain = new PoolChain()
    const state = emptyState()
    const watch = makeWatch(chain, state, FAKE_DEPLOYMENT)
    chain.mine([pairCreated(pair(1), ETH, USDC), synced(pair(1), 5n, 6n)])
    const read = await watch.readHead(chain.head)
    assert.deepEqual(read.logs, [])
    assert.deepEqual(
      chain.requests.map((filters) => filters.map(({ address }) => address.length)),
      [[4]],
    )
    assert.equal(await watch.complete(read), read)
  })

  test('stored pools are watched even when their factory is no longer configured', async () => {
    const chain = new PoolChain()
    const state = emptyState()
    chain.mine([pairCreated(pair(1), ETH, USDC)])
    await addHead(chain, state)
    chain.mine([synced(pair(1), 5n, 6n)])
    const watch = makeWatch(chain, state, FAKE_DEPLOYMENT)
    const { logs } = await watch.readHead(chain.head)
    assert.equal(watch.decodeLog(logs[0] as (typeof logs)[0])?.type, 'PoolSynced')
  })
})
