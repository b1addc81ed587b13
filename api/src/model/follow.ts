// Keeps the model at the head of the feed until it is told to stop.
import { goesOnFrom } from '@openvenue/store/feed-order'
import { type FeedEntry, FeedGone, type Reader } from '@openvenue/store/store'
import type { FastifyBaseLogger } from 'fastify'
import { windowsAt } from './snapshot-windows.ts'
import type { VenueModel } from './venue-model.ts'

/** Entries read at once. */
const FEED_ENTRIES_MAX = 500
/** A wake can be lost with a connection; the feed is read this often in any case. */
const POLL_MS = 1000
/** Pause before a database that failed is asked again. */
const RETRY_MS = 250

export type FollowDeps = Readonly<{
  model: VenueModel
  reader: Reader
  nowMs: () => number
  /** Resolves after so many milliseconds, or at once when `signal` aborts. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Hears that the database answered what comes next. */
  feedRead?: () => void
}>

/** Loads the first snapshot; asks again until the database answers or `signal` aborts. */
export async function loadModel(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { model, reader, nowMs, log } = deps
  const windows = () => windowsAt(Math.floor(nowMs() / 1000))
  const snapshot = await untilRead(deps, signal, () => reader.snapshot(windows()))
  if (snapshot === undefined) return
  model.load(snapshot)
  log.info({ seq: snapshot.seq, head: model.head?.number }, 'model loaded')
}

/**
 * Applies the feed as it grows. Rejects only when an entry cannot be applied, which is our own
 * fault; while the database fails, the model stays as it was.
 */
export async function followFeed(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const wake = new Wake()
  const stopWaking = deps.reader.onWake(() => wake.ring())
  signal.addEventListener('abort', () => wake.ring(), { once: true })
  try {
    while (!signal.aborted) {
      await drain(deps, signal)
      await wake.heard((quiet) => deps.delay(POLL_MS, quiet))
    }
  } finally {
    stopWaking()
  }
}

async function drain(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { model, reader } = deps
  while (!signal.aborted) {
    const entries = await untilRead(deps, signal, async () => {
      try {
        return await reader.feedAfter(model.seq, FEED_ENTRIES_MAX)
      } catch (error) {
        if (error instanceof FeedGone) return undefined
        throw error
      }
    })
    if (signal.aborted) return
    deps.feedRead?.()
    if (entries === undefined) await loadModel(deps, signal)
    else if (entries.length === 0) return
    else if (!applyAll(model, entries)) await resync(deps, signal)
  }
}

/** Returns whether all went on from the head; what comes after one that does not is not taken. */
function applyAll(model: VenueModel, entries: readonly FeedEntry[]): boolean {
  for (const entry of entries) {
    if (!goesOnFrom(model.head, entry)) return false
    model.apply(entry)
  }
  return true
}

/** What the feed says cannot be after what it said before: the database's tables decide. */
async function resync(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { model, log, delay } = deps
  model.feedBreaks++
  log.warn({ seq: model.seq, head: model.head }, 'the feed does not go on from the head')
  await delay(RETRY_MS, signal)
  await loadModel(deps, signal)
}

/** Reads until it works. Returns undefined when `signal` aborts first. */
async function untilRead<T>(
  { delay, log }: FollowDeps,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      await delay(RETRY_MS, signal)
    }
  }
  return undefined
}

/** A bell that may ring before anybody listens. */
class Wake {
  #isRung = false
  #listener: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#listener?.()
  }

  /** Resolves when the bell has rung since the last call, or when `timeout` does. */
  async heard(timeout: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (!this.#isRung) {
      const quiet = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#listener = resolve
        }),
        timeout(quiet.signal),
      ])
      quiet.abort()
      this.#listener = undefined
    }
    this.#isRung = false
  }
}
