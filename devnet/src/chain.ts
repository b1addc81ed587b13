// Runs the local chain: anvil, its state on disk, and its clock. `mine` creates blocks with given
// times, so that history is produced as fast as anvil computes; afterwards the chain uses the wall
// clock.
import { mkdirSync, rmSync } from 'node:fs'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import { type AnvilAddress, anvilPidPath, endOrphan } from './anvil-mark.ts'
import { chainStatePath, isSaved, saveState, setSavedAside, unpackSaved } from './chain-state.ts'
import { Loop, Turns } from './loop.ts'
import { measureProcess } from './process-usage.ts'
import { type ChainRpc, rpcAt } from './rpc.ts'

type ChainOptions = Readonly<{
  dataDir: string
  /** 0 picks a free one. */
  port: number
  /** Time of block 0 of a new chain, Unix seconds. */
  genesisSeconds: number
  /** Poll interval of the pool: the longest wait of a transaction for its block. */
  blockMs?: number
  onError(error: unknown): void
  /** Called with the reason when the chain starts from an older save than the newest. */
  onWarning?(text: string): void
}>

export const BLOCK_MS = 200
/** Interval of empty blocks, so that the chain's time advances. */
const PULSE_MS = 1_000
/** Minimum interval between saves: the maximum loss when anvil is killed. */
const SAVE_MS_MIN = 30_000
/** Maximum part of the time for saves, up to an interval of `SAVE_MS_MAX`. */
const SAVE_PART = 1 / 50
/** Everything between two saves can be undone: see `FINALITY_BLOCKS` in `indexing.ts`. */
const SAVE_MS_MAX = 90_000
/**
 * Interval or size at which anvil is restarted, whichever comes first: see
 * docs/decisions/0007-devnet-chain.md.
 */
const RENEW_MS_MAX = 3 * 3600 * 1000
const RENEW_MEGABYTES = 240
/** Minimum interval of restarts, however fast it grows. */
const RENEW_MS_MIN = 4 * 60 * 1000
const RENEW_LOOK_MS = 30 * 1000

/**
 * Starts the chain of `dataDir`, resumed or new. Throws when it is already running, and
 * `ConfigInvalid` when its port is taken or no save can be read.
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { dataDir, port, genesisSeconds, onError, blockMs = BLOCK_MS } = options
  mkdirSync(dataDir, { recursive: true })
  const statePath = chainStatePath(dataDir)
  const pidPath = anvilPidPath(dataDir)
  await endOrphan(pidPath, async (orphan) => {
    // A chain that was never saved was still being set up.
    if (isSaved(statePath)) await saveAlone(orphan, statePath).catch(onError)
  })
  const warn = options.onWarning ?? (() => {})
  const { anvil, isLoaded } = await startLoaded({ port, genesisSeconds, pidPath }, statePath, warn)
  const again = { port: anvil.port, genesisSeconds, pidPath }
  return new Chain(anvil, { statePath, again, onError, warn, blockMs, isNew: !isLoaded })
}

/** Sets the saved chain of `dataDir` aside: the next start creates a new one. */
export const forgetChain = (dataDir: string) => setSavedAside(chainStatePath(dataDir))

/** Saves the state of an anvil without a miner. */
const saveAlone = (anvil: AnvilAddress, statePath: string) =>
  saveState(anvil, statePath, {
    between: (work) => work(),
    mine: () => mineByClock(rpcAt(anvil.url)),
  })

/** Starts anvil and loads its saved state before any client can reach it. */
async function startLoaded(options: AnvilOptions, statePath: string, warn: (text: string) => void) {
  const state = await unpackSaved(statePath, warn)
  if (state === undefined) return { anvil: await startAnvil(options), isLoaded: false }
  try {
    const more = [...(options.more ?? []), '--load-state', state]
    return { anvil: await startAnvil({ ...options, more }), isLoaded: true }
  } finally {
    rmSync(state, { force: true })
  }
}

const mineAt = async (rpc: ChainRpc, seconds: number) =>
  void (await rpc.call('evm_mine', { timestamp: seconds }))

/** A wall clock that was set back must not stop the chain. */
async function mineByClock(rpc: ChainRpc): Promise<void> {
  const newest = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
  await mineAt(rpc, Math.max(Math.floor(Date.now() / 1000), Number(newest.timestamp)))
}

type ChainSetup = Readonly<{
  statePath: string
  isNew: boolean
  blockMs: number
  /** Options for a restart of anvil. */
  again: AnvilOptions
  onError(error: unknown): void
  warn(text: string): void
}>

export class Chain {
  readonly rpc: ChainRpc
  readonly url: string
  readonly wsUrl: string
  readonly isNew: boolean
  /** Resolves when anvil has ended unexpectedly. */
  readonly ended: Promise<void>
  readonly #parts: ChainSetup
  readonly #miner: Loop
  readonly #saver: Loop
  readonly #renewer: Loop
  /** Serialises blocks, reorganisations and reads of the whole state. */
  readonly #turns = new Turns()
  readonly #saves = new Turns()
  #anvil: Anvil
  #hasEnded = false
  #isReplacing = false
  #isLive = false
  #reportEnd: () => void = () => {}

  constructor(anvil: Anvil, parts: ChainSetup) {
    const { isNew, blockMs, onError } = parts
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
      () => this.save(),
      (tookMs) => Math.min(Math.max(SAVE_MS_MIN, tookMs / SAVE_PART), SAVE_MS_MAX),
      onError,
    )
    this.#renewer = new Loop(this.#renewWhenDue(), () => RENEW_LOOK_MS, onError)
  }

  get pid(): number {
    return this.#anvil.pid
  }

  /** Mines a block at this time (Unix seconds, not below the newest block's). */
  async mine(seconds: number): Promise<void> {
    await this.#turns.take(() => mineAt(this.rpc, seconds))
  }

  /** Saves the state between two blocks. Throws and keeps the previous save when it fails. */
  async save(): Promise<void> {
    const turn = {
      between: (work: () => Promise<void>) => this.#turns.take(work),
      mine: () => mineByClock(this.rpc),
    }
    await this.#saves.take(() => saveState(this.#anvil, this.#parts.statePath, turn))
  }

  /** Saves the state; from then on mines by the wall clock and saves periodically. */
  async live(): Promise<void> {
    await this.save()
    this.#isLive = true
    this.#miner.start()
    this.#saver.start()
    this.#renewer.start()
  }

  /**
   * Restarts anvil with the relevant part of its state, at the same address. The chain is
   * unreachable for one to three seconds; blocks and transactions are unchanged.
   */
  async renew(): Promise<void> {
    await Promise.all([this.#miner.stop(), this.#saver.stop()])
    while ((await this.#pending()) > 0) await this.#mineNow()
    await this.save()
    await this.#replaceAnvil()
    if (!this.#isLive) return
    this.#miner.start()
    this.#saver.start()
  }

  /**
   * Replaces the newest `depth` blocks by empty ones. No block is mined meanwhile: with two at a
   * time anvil loses blocks, gives them decreasing times, and may stop mining.
   */
  async reorganise(depth: number): Promise<void> {
    await this.#turns.take(() => this.rpc.call('anvil_reorg', depth, []))
  }

  async #replaceAnvil(): Promise<void> {
    const { statePath, again, warn } = this.#parts
    const old = this.#anvil
    this.#isReplacing = true
    try {
      await old.kill()
      this.#anvil = (await startLoaded(again, statePath, warn)).anvil
      this.#watch(this.#anvil)
    } catch (error) {
      this.#end()
      throw error
    } finally {
      this.#isReplacing = false
    }
  }

  /** Stops mining, saves the state if it ever went live, and ends anvil. */
  async stop(): Promise<void> {
    const { statePath, onError } = this.#parts
    await this.#renewer.stop()
    await Promise.all([this.#miner.stop(), this.#saver.stop()])
    if (isSaved(statePath) && !this.#hasEnded) await this.save().catch(onError)
    await this.#anvil.kill()
  }

  #watch(anvil: Anvil): void {
    void anvil.ended.then(() => {
      if (!this.#isReplacing) this.#end()
    })
  }

  /** Stops mining: another chain may soon answer at this address. */
  #end(): void {
    this.#hasEnded = true
    void this.#miner.stop()
    this.#reportEnd()
  }

  /** Mines a block when transactions wait, or when the last one is a pulse old. */
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

  #mineNow(): Promise<void> {
    return this.#turns.take(() => mineByClock(this.rpc))
  }

  async #pending(): Promise<number> {
    const { pending } = (await this.rpc.call('txpool_status')) as { pending: string }
    return Number(pending)
  }
}
