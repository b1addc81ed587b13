// Kills the venue in every way possible on one machine, and continues.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { rpcAt } from '@openvenue/devnet/rpc'
import { createComparer } from './compare.ts'
import { compared, PoolComparer } from './compare-pools.ts'
import { newDataDir } from './venue.ts'
import { isAlive, startProcess, type VenueProcess } from './venue-process.ts'

const BLOCKS = 5
const POOL_BLOCKS = 2
const ENDED_WITHIN_MS = 20_000
/** More blocks than the devnet's anvil keeps logs of. */
const FORGOTTEN_BLOCKS = 5_200

const dataDir = newDataDir()
let venue: VenueProcess | undefined
after(() => {
  venue?.process.kill('SIGKILL')
  if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('a new venue equals its contracts', async () => {
  venue = await startProcess(dataDir)
  await compareSome(venue)
})

test('a killed venue takes over its running chain and loses no block', async () => {
  const killed = running()
  const head = await readHead(killed)
  killed.process.kill('SIGKILL')
  assert.equal(await killed.ended, 'SIGKILL')
  venue = await startProcess(dataDir)
  // Its parent is gone, so init removes the ended process in its own time.
  await until('the chain has ended', async () => !isAlive(killed.anvilPid), ENDED_WITHIN_MS)
  assert.ok((await readHead(venue)) >= head, `the head is not below ${head}`)
  await compareSome(venue)
})

test('a venue ends when its chain is killed, and the next start undoes the lost blocks', async () => {
  const killed = running()
  process.kill(killed.anvilPid, 'SIGKILL')
  assert.equal(await within(killed.ended), 1)
  venue = await startProcess(dataDir)
  await compareSome(venue)
})

test('a stopped venue leaves nothing running, and the next start continues', async () => {
  const stopped = running()
  const head = await readHead(stopped)
  stopped.process.kill('SIGINT')
  assert.equal(await within(stopped.ended), 0)
  assert.equal(isAlive(stopped.anvilPid), false)
  venue = await startProcess(dataDir)
  assert.ok((await readHead(venue)) >= head, `the head is not below ${head}`)
  await compareSome(venue)
})

test('a venue without its database reindexes the chain', async () => {
  await stop()
  rmSync(join(dataDir, 'db'), { recursive: true })
  venue = await startProcess(dataDir)
  await compareSome(venue)
})

test('a venue without its database, on a chain that has pruned its first logs, starts over', async () => {
  // Only the chain runs meanwhile: no service follows these blocks.
  const killed = running()
  killed.process.kill('SIGKILL')
  await killed.ended
  await rpcAt(killed.rpcUrl).call('anvil_mine', FORGOTTEN_BLOCKS)
  const head = await readHead(killed)
  rmSync(join(dataDir, 'db'), { recursive: true })
  venue = await startProcess(dataDir)
  assert.ok((await readHead(venue)) < head)
  await compareSome(venue)
  await stop()
})

async function stop(): Promise<void> {
  const { process: child, ended } = running()
  child.kill('SIGTERM')
  assert.equal(await within(ended), 0)
}

function running(): VenueProcess {
  assert.ok(venue !== undefined, 'the venue runs')
  return venue
}

const readHead = async ({ rpcUrl }: VenueProcess) =>
  Number(await rpcAt(rpcUrl).call('eth_blockNumber'))

async function compareSome(clients: VenueProcess): Promise<void> {
  await compared(BLOCKS, createComparer(clients).compare)
  await new PoolComparer(clients).compare(POOL_BLOCKS)
}

const within = <T>(promise: Promise<T>) =>
  Promise.race([
    promise,
    sleep(ENDED_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`it did not end within ${ENDED_WITHIN_MS} ms`)
    }),
  ])
