import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type Chain, startChain } from './chain.ts'

const GENESIS_SECONDS = 1_700_000_000
const REORG_ROUNDS = 8
const REORG_DEPTH = 5
/** Keeps a block in production at all times. */
const FAST_BLOCK_MS = 1
const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-chain-'))
const running = new Set<Chain>()

afterEach(async () => {
  for (const chain of running) await chain.stop()
  running.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

test('blocks have their given times, and a chain is not kept before it goes live', async () => {
  const chain = await start()
  await chain.mine(GENESIS_SECONDS + 10)
  await chain.mine(GENESIS_SECONDS + 10)
  assert.deepEqual(await newest(chain), { number: 2, seconds: GENESIS_SECONDS + 10 })
  await stop(chain)
  assert.equal((await start()).isNew, true)
})

test('a live chain mines by the clock, and resumes at its newest block', async () => {
  const first = await start()
  await first.live()
  const before = Math.floor(Date.now() / 1000)
  await untilBlock(first, 2)
  assert.ok((await newest(first)).seconds >= before)
  await stop(first)
  const { number } = await saved
  const second = await start()
  assert.equal(second.isNew, false)
  assert.ok((await newest(second)).number >= number)
})

test('the next start ends a chain that its owner abandoned, without losing blocks', async () => {
  const orphan = await start()
  await orphan.live()
  await untilBlock(orphan, 1)
  const { number } = await newest(orphan)
  const heir = await start()
  await orphan.ended
  assert.equal(heir.isNew, false)
  assert.ok((await newest(heir)).number >= number)
})

test('a renewed chain has the same blocks, receipts and nonces at the same address, and continues', async () => {
  const chain = await start()
  const [from, to] = (await chain.rpc.call('eth_accounts')) as [string, string]
  const hash = await chain.rpc.call('eth_sendTransaction', { from, to, value: '0x7' })
  await chain.live()
  await untilBlock(chain, 1)
  const block = await chain.rpc.call('eth_getBlockByNumber', '0x1', true)
  const sending = chain.rpc.call('eth_sendTransaction', { from, to, value: '0x8' })
  const pid = chain.pid
  await sending
  const heights = watchHeights(chain)
  await chain.renew()
  const { number: renewedAt } = await newest(chain)
  await heights.until(renewedAt)
  assert.notEqual(chain.pid, pid)
  assert.deepEqual(await chain.rpc.call('eth_getBlockByNumber', '0x1', true), block)
  assert.ok(await chain.rpc.call('eth_getTransactionReceipt', hash))
  assert.equal(Number(await chain.rpc.call('eth_getTransactionCount', from, 'latest')), 2)
  const { number } = await newest(chain)
  await untilBlock(chain, number + 1)
})

test('blocks replaced while transactions arrive keep their order, and the chain continues', async () => {
  const chain = await start(FAST_BLOCK_MS)
  const [from, to] = (await chain.rpc.call('eth_accounts')) as [string, string]
  await chain.live()
  let isOver = false
  const send = async () => {
    while (!isOver) await chain.rpc.call('eth_sendTransaction', { from, to, value: '0x1' })
  }
  const sending = send()
  for (let round = 0; round < REORG_ROUNDS; round++) {
    const { number } = await newest(chain)
    await untilBlock(chain, number + REORG_DEPTH + 1)
    await chain.reorganise(REORG_DEPTH)
  }
  isOver = true
  await sending
  const { number } = await newest(chain)
  await untilBlock(chain, number + 1)
  const times = await Promise.all(
    Array.from({ length: number + 1 }, (_, at) => secondsAt(chain, at)),
  )
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})

let saved: Promise<{ number: number }>

async function start(blockMs?: number): Promise<Chain> {
  const chain = await startChain({
    dataDir,
    port: 0,
    genesisSeconds: GENESIS_SECONDS,
    ...(blockMs !== undefined && { blockMs }),
    onError: () => {},
  })
  running.add(chain)
  return chain
}

async function stop(chain: Chain): Promise<void> {
  saved = newest(chain)
  await saved
  await chain.stop()
  running.delete(chain)
}

async function newest({ rpc }: Chain): Promise<{ number: number; seconds: number }> {
  const block = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as Record<string, string>
  return { number: Number(block.number), seconds: Number(block.timestamp) }
}

const untilBlock = (chain: Chain, number: number) =>
  until(`the chain has block ${number}`, async () => (await newest(chain)).number >= number)

/** Polls the height, which must never decrease. */
function watchHeights(chain: Chain): Readonly<{ until: (number: number) => Promise<void> }> {
  const heights: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      // The chain does not answer for a moment.
      const height = await chain.rpc.call('eth_blockNumber').catch(() => undefined)
      if (height !== undefined) heights.push(Number(height))
    }
  })()
  return {
    until: async (number) => {
      await until(`height ${number} is heard of`, () => (heights.at(-1) ?? 0) >= number)
      isOver = true
      await watching
      assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
      )
    },
  }
}

async function secondsAt({ rpc }: Chain, number: number): Promise<number> {
  const at = `0x${number.toString(16)}`
  const block = (await rpc.call('eth_getBlockByNumber', at, false)) as Record<string, string>
  return Number(block.timestamp)
}
