// The local chain: anvil, its state kept on disk, and its clock. Blocks are made by `mine` with the
// time they are to have, so history can be produced as fast as anvil computes it, and afterwards
// the chain's time is the wall's.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Anvil, endOrphan, pidPathOf, startAnvil } from './anvil.ts'
import { Loop } from './loop.ts'
import { type ChainRpc, rpcAt } from './rpc.ts'

export type ChainOptions = Readonly<{
  dataDir: string
  /** 0 takes a free one. */
  port: number
  /** Time of block 0 of a new chain, Unix seconds. */
  genesisSeconds: number
  onError(error: unknown): void
}>

export type Chain = Readonly<{
  rpc: ChainRpc
  url: string
  wsUrl: string
  pid: number
  /** Whether it started from nothing. */
  isNew: boolean
  /** Fulfilled when anvil has ended, asked or not. */
  ended: Promise<void>
  /** Adds a block of this time (Unix seconds, not below the newest block's). */
  mine(seconds: number): Promise<void>
  /** Saves the state; from then on makes blocks by the wall's clock and saves it now and then. */
  live(): Promise<void>
  /** Stops making blocks, saves the state if it ever went live, and ends anvil. */
  stop(): Promise<void>
}>

/** Pause between looks at the pool: the longest that a transaction waits for its block. */
export const BLOCK_MS = 200
/** A chain without transactions still has this pulse, so that its time goes on. */
const PULSE_MS = 1_000
/** At most this much is lost when anvil is killed. */
const SAVE_MS_MIN = 30_000
/** Saving takes at most this part of the time, however large the state has become. */
const SAVE_PART = 1 / 50

/** Starts the chain of `dataDir`, where it stopped or anew. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  const statePath = statePathOf(dataDir)
  const pidPath = pidPathOf(dataDir)
  await endOrphan(pidPath, async (url) => {
    // A chain that was never saved was still being set up.
    if (existsSync(statePath)) await saveState(rpcAt(url), statePath).catch(options.onError)
  })
  const anvil = await startAnvil({ ...options, pidPath })
  try {
    const isNew = !(await loadState(rpcAt(anvil.url), statePath))
    return chainOf(anvil, { isNew, statePath, onError: options.onError })
  } catch (error) {
    await anvil.kill()
    throw error
  }
}

/** Deletes the saved chain of `dataDir`: the next start begins a new one. */
export const forgetChain = (dataDir: string) => rmSync(statePathOf(dataDir), { force: true })

const statePathOf = (dataDir: string) => join(dataDir, 'chain.state')

type Keeping = Readonly<{ isNew: boolean; statePath: string; onError(error: unknown): void }>

function chainOf(anvil: Anvil, { isNew, statePath, onError }: Keeping): Chain {
  const rpc = rpcAt(anvil.url)
  const mine = async (seconds: number) =>
    void (await rpc.call('evm_mine', { timestamp: Math.max(0, seconds) }))
  const miner = new Loop(mineWhenDue(rpc, mine), (tookMs) => BLOCK_MS - tookMs, onError)
  const saver = new Loop(
    () => saveState(rpc, statePath),
    (tookMs) => Math.max(SAVE_MS_MIN, tookMs / SAVE_PART),
    onError,
  )
  return {
    rpc,
    url: anvil.url,
    wsUrl: anvil.url.replace('http', 'ws'),
    pid: anvil.pid,
    isNew,
    ended: anvil.ended,
    mine,
    live: async () => {
      await saveState(rpc, statePath)
      miner.start()
      saver.start()
    },
    stop: async () => {
      await Promise.all([miner.stop(), saver.stop()])
      if (existsSync(statePath)) await saveState(rpc, statePath).catch(onError)
      await anvil.kill()
    },
  }
}

/** Makes a block when transactions wait, or when the last one is a pulse ago. */
function mineWhenDue(rpc: ChainRpc, mine: Chain['mine']): () => Promise<void> {
  let minedAtMs = 0
  return async () => {
    const nowMs = Date.now()
    const isPulse = nowMs - minedAtMs >= PULSE_MS
    if (!isPulse && (await pendingOf(rpc)) === 0) return
    minedAtMs = nowMs
    // A wall clock that was set back must not stop the chain.
    await mine(Math.max(Math.floor(nowMs / 1000), await newestSeconds(rpc)))
  }
}

async function newestSeconds(rpc: ChainRpc): Promise<number> {
  const { timestamp } = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as {
    timestamp: string
  }
  return Number(timestamp)
}

async function pendingOf(rpc: ChainRpc): Promise<number> {
  const { pending } = (await rpc.call('txpool_status')) as { pending: string }
  return Number(pending)
}

/** Writes the whole state aside first: a crash leaves the old file or the new one, never half. */
async function saveState(rpc: ChainRpc, path: string): Promise<void> {
  const state = String(await rpc.call('anvil_dumpState'))
  writeFileSync(`${path}.next`, Buffer.from(state.slice(2), 'hex'), { flush: true })
  renameSync(`${path}.next`, path)
}

/** Returns whether there was a state to load. */
async function loadState(rpc: ChainRpc, path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const isLoaded = await rpc.call('anvil_loadState', `0x${readFileSync(path).toString('hex')}`)
  if (isLoaded !== true) throw new Error(`the chain's state in ${path} does not load`)
  return true
}
