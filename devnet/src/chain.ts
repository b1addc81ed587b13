// Runs the local chain: anvil, its state kept on disk, and its clock. Blocks are made by `mine`
// with the time they are to have, so history can be produced as fast as anvil computes it, and
// afterwards the chain's time is the wall's.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { type Anvil, type AnvilOptions, anvilPidPath, endOrphan, startAnvil } from './anvil.ts'
import { chainStatePath, compactSaved, saveState } from './chain-state.ts'
import { Loop } from './loop.ts'
import { measureProcess } from './process-usage.ts'
import { type ChainRpc, rpcAt } from './rpc.ts'

export type ChainOptions = Readonly<{
  dataDir: string
  /** 0 takes a free one. */
  port: number
  /** Time of block 0 of a new chain, Unix seconds. */
  genesisSeconds: number
  /** Pause between looks at the pool: the longest that a transaction waits for its block. */
  blockMs?: number
  onError(error: unknown): void
}>

export const BLOCK_MS = 200
/** A chain without transactions still has this pulse, so that its time goes on. */
const PULSE_MS = 1_000
/** At most this much is lost when anvil is killed. */
const SAVE_MS_MIN = 30_000
/** Saving takes at most this part of the time, however large the state has become. */
const SAVE_PART = 1 / 50
/**
 * Anvil is started anew this often, or when it has grown to this, whichever comes first: see
 * docs/decisions/0007-devnet-chain.md.
 */
const RENEW_MS_MAX = 3 * 3600 * 1000
const RENEW_MEGABYTES = 240
/** But not more often than this, however fast it grows. */
const RENEW_MS_MIN = 4 * 60 * 1000
const RENEW_LOOK_MS = 30 * 1000

/** Starts the chain of `dataDir`, where it stopped or anew. Throws when it runs already. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { dataDir, onError, blockMs = BLOCK_MS } = options
  mkdirSync(dataDir, { recursive: true })
  const statePath = chainStatePath(dataDir)
  const pidPath = anvilPidPath(dataDir)
  await endOrphan(pidPath, async (url) => {
    // A chain that was never saved was still being set up.
    if (existsSync(statePath)) await saveState(rpcAt(url), statePath).catch(onError)
  })
  const { anvil, isLoaded } = await startLoaded({ ...options, pidPath }, statePath)
  const again = { port: anvil.port, genesisSeconds: options.genesisSeconds, pidPath }
  return new Chain(anvil, { statePath, again, onError, blockMs, isNew: !isLoaded })
}

/** Deletes the saved chain of `dataDir`: the next start begins a new one. */
export const forgetChain = (dataDir: string) => rmSync(chainStatePath(dataDir), { force: true })

/** Starts anvil with what was saved, so that nobody asks it before it has that. */
async function startLoaded(options: AnvilOptions, statePath: string) {
  const state = await compactSaved(statePath)
  if (state === undefined) return { anvil: await startAnvil(options), isLoaded: false }
  try {
    const more = [...(options.more ?? []), '--load-state', state]
    return { anvil: await startAnvil({ ...options, more }), isLoaded: true }
  } finally {
    rmSync(state, { force: true })
  }
}

type ChainParts = Readonly<{
  statePath: string
  isNew: boolean
  blockMs: number
  /** How anvil is started when it is renewed. */
  again: AnvilOptions
  onError(error: unknown): void
}>

export class Chain {
  readonly rpc: ChainRpc
  readonly url: string
  readonly wsUrl: string
  /** Whether it started from nothing. */
  readonly isNew: boolean
  /** Fulfilled when anvil has ended without being asked to. */
  readonly ended: Promise<void>
  readonly #parts: ChainParts
  readonly #miner: Loop
  readonly #saver: Loop
  readonly #renewer: Loop
  #anvil: Anvil
  #isReplacing = false
  #isLive = false
  #reportEnd: () => void = () => {}

  constructor(anvil: Anvil, parts: ChainParts) {
    const { statePath, isNew, blockMs, onError } = parts
    this.#anvil = anvil
    this.#parts = parts
    this.url = anvil.url
    this.wsUrl = anvil.url.replace('http', 'ws')
    this.rpc = rpcAt(anvil.url)
    this.isNew = isNew
    this.ended = new Promise((resolve) => {
      this.#reportEnd = resolve
    })
    this.#watch(anvil)
    this.#miner = new Loop(this.#mineWhenDue(), (tookMs) => blockMs - tookMs, onError)
    this.#saver = new Loop(
      () => saveState(this.rpc, statePath),
      (tookMs) => Math.max(SAVE_MS_MIN, tookMs / SAVE_PART),
      onError,
    )
    this.#renewer = new Loop(this.#renewWhenDue(), () => RENEW_LOOK_MS, onError)
  }

  get pid(): number {
    return this.#anvil.pid
  }

  /** Adds a block of this time (Unix seconds, not below the newest block's). */
  async mine(seconds: number): Promise<void> {
    await this.rpc.call('evm_mine', { timestamp: seconds })
  }

  /** Saves the state; from then on makes blocks by the wall's clock and saves it now and then. */
  async live(): Promise<void> {
    await saveState(this.rpc, this.#parts.statePath)
    this.#isLive = true
    this.#miner.start()
    this.#saver.start()
    this.#renewer.start()
  }

  /**
   * Starts anvil anew with what matters of its state, at the same address. Nobody reaches the chain
   * for a second or three; blocks and transactions are as they were.
   */
  async renew(): Promise<void> {
    await Promise.all([this.#miner.stop(), this.#saver.stop()])
    while ((await this.#pending()) > 0) await this.#mineNow()
    await saveState(this.rpc, this.#parts.statePath)
    await this.#replaceAnvil()
    if (!this.#isLive) return
    this.#miner.start()
    this.#saver.start()
  }

  /**
   * Replaces the newest `depth` blocks by empty ones. Nobody makes a block meanwhile: of two at a
   * time anvil loses blocks, gives them times that go back, and may make no more.
   */
  async reorganise(depth: number): Promise<void> {
    await this.#miner.stop()
    await this.rpc.call('anvil_reorg', depth, [])
    if (this.#isLive) this.#miner.start()
  }

  async #replaceAnvil(): Promise<void> {
    const { statePath, again } = this.#parts
    const old = this.#anvil
    this.#isReplacing = true
    try {
      await old.kill()
      this.#anvil = (await startLoaded(again, statePath)).anvil
      this.#watch(this.#anvil)
    } catch (error) {
      this.#reportEnd()
      throw error
    } finally {
      this.#isReplacing = false
    }
  }

  /** Stops making blocks, saves the state if it ever went live, and ends anvil. */
  async stop(): Promise<void> {
    const { statePath, onError } = this.#parts
    await this.#renewer.stop()
    await Promise.all([this.#miner.stop(), this.#saver.stop()])
    if (existsSync(statePath)) await saveState(this.rpc, statePath).catch(onError)
    await this.#anvil.kill()
  }

  #watch(anvil: Anvil): void {
    void anvil.ended.then(() => {
      if (!this.#isReplacing) this.#reportEnd()
    })
  }

  /** Makes a block when transactions wait, or when the last one is a pulse ago. */
  #mineWhenDue(): () => Promise<void> {
    let minedAtMs = 0
    return async () => {
      const nowMs = Date.now()
      const isPulse = nowMs - minedAtMs >= PULSE_MS
      if (!isPulse && (await this.#pending()) === 0) return
      minedAtMs = nowMs
      await this.#mineNow()
    }
  }

  #renewWhenDue(): () => Promise<void> {
    let renewedAtMs = Date.now()
    return async () => {
      const ageMs = Date.now() - renewedAtMs
      if (ageMs < RENEW_MS_MIN) return
      if (ageMs < RENEW_MS_MAX && measureProcess(this.pid).megabytes < RENEW_MEGABYTES) return
      await this.renew()
      renewedAtMs = Date.now()
    }
  }

  /** A wall clock that was set back must not stop the chain. */
  async #mineNow(): Promise<void> {
    const newest = (await this.rpc.call('eth_getBlockByNumber', 'latest', false)) as {
      timestamp: string
    }
    await this.mine(Math.max(Math.floor(Date.now() / 1000), Number(newest.timestamp)))
  }

  async #pending(): Promise<number> {
    const { pending } = (await this.rpc.call('txpool_status')) as { pending: string }
    return Number(pending)
  }
}
