// In-memory databases for tests. Opening one takes several hundred milliseconds, and resetting a
// used one a tenth of that: a process reuses those that its tests have closed.
import { PGlite } from '@electric-sql/pglite'
import { LITE_OPTIONS, type Lite } from '../src/db/pglite.ts'
import { type Baseline, endSession, readBaseline, reset } from './pglite-reset.ts'

/** Maximum number of unused instances; each takes some 100 MB. */
const IDLE_MAX = 4
/** Uses of an instance between two checkpoints. */
const CHECKPOINT_USES = 10

/** Its timers, which only write statistics, do not keep the process alive: it may stay open. */
class PooledPglite extends PGlite {
  uses = 0

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    return withLooseTimers(() => super.execProtocolRawSync(message))
  }

  override callMain(args: string[]): number {
    return withLooseTimers(() => super.callMain(args))
  }
}

/** Runs the synchronous `work` without letting its timers keep the process alive. */
function withLooseTimers<T>(work: () => T): T {
  const { setTimeout } = globalThis
  const schedule = (callback: () => void, ms?: number) => {
    const timer = setTimeout(() => withLooseTimers(callback), ms)
    timer.unref()
    return timer
  }
  globalThis.setTimeout = schedule as typeof setTimeout
  try {
    return work()
  } finally {
    globalThis.setTimeout = setTimeout
  }
}

const idle: PooledPglite[] = []
let baseline: Promise<Baseline> | undefined

/** Takes an empty database from the pool, or opens one from `dump`. */
export async function takeLite(dump: () => Promise<Blob>): Promise<PooledPglite> {
  for (let lite = idle.pop(); lite !== undefined; lite = idle.pop()) {
    try {
      await reset(lite, await (baseline as Promise<Baseline>))
      lite.uses += 1
      // There is no background process to truncate the log, which is in memory as well.
      if (lite.uses % CHECKPOINT_USES === 0) await lite.exec('CHECKPOINT')
      return lite
    } catch {
      await close(lite)
    }
  }
  const lite = await openLite(dump)
  baseline ??= readBaseline(lite)
  await baseline
  return lite
}

/** Opens an unused database from `dump`. */
export async function openLite(dump: () => Promise<Blob>): Promise<PooledPglite> {
  const lite = new PooledPglite({ ...LITE_OPTIONS, loadDataDir: await dump() })
  await lite.waitReady
  return lite
}

/** Returns `lite` to the pool as it is: it is reset when it is taken again. */
export async function returnLite(lite: PooledPglite): Promise<void> {
  if (lite.closed) return
  if (idle.length < IDLE_MAX) idle.push(lite)
  else await close(lite)
}

/** Closing a broken instance may fail, too. */
const close = (lite: PGlite) => lite.close().catch(() => {})

/**
 * Lends `lite` for one use: after `close` it behaves like a closed PGlite, and `release` is called
 * once its session has ended.
 */
export function lend(lite: PGlite, release: () => Promise<void>): Lite {
  let closed = false
  const open = () => {
    if (closed) throw new Error('PGlite is closed')
    return lite
  }
  return {
    get closed() {
      return closed || lite.closed
    },
    query: async <T>(...args: Parameters<PGlite['query']>) => open().query<T>(...args),
    exec: async (...args) => open().exec(...args),
    transaction: async (work) => open().transaction(work),
    close: async () => {
      open()
      closed = true
      // Calls made earlier are still answered: the session ends after them.
      await endSession(lite).catch(() => close(lite))
      await release()
    },
  }
}
