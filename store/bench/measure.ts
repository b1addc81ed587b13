// Measures the store: throughput of a backfill, duration of a commit at the tip, and delay until a
// reader has the block.
import { performance } from 'node:perf_hooks'
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import type { Store } from '../src/store.ts'
import { replay } from '../test/replay.ts'

/** Logs per batch of a backfill: those of a 4 MB fetch. */
const BATCH_LOGS = 8000
const TIP_BLOCKS = 300

export type Quantiles = Readonly<{ p50: number; p99: number }>

/** Commits `blocks` as final in batches, and returns the total time of the commits. */
export async function measureBackfill(
  store: Store,
  blocks: readonly VenueBlock[],
): Promise<Readonly<{ logs: number; changes: number; seconds: number }>> {
  await store.writer.wipeChain()
  const { blocks: done } = replay(blocks)
  let logs = 0
  let [changes, start, batchLogs] = [0, 0, 0]
  const startMs = performance.now()
  for (const [index, { events }] of blocks.entries()) {
    logs += events.length
    batchLogs += events.length
    changes += done[index]?.changes.length ?? 0
    if (batchLogs < BATCH_LOGS && index < blocks.length - 1) continue
    await store.writer.commit(done.slice(start, index + 1), 1e9)
    start = index + 1
    batchLogs = 0
  }
  return { logs, changes, seconds: (performance.now() - startMs) / 1000 }
}

/**
 * Commits the last blocks one by one, none final, and returns the duration of each commit and the
 * delay until `reader`, of this or another store, had the entry.
 */
export async function measureTip(
  store: Store,
  blocks: readonly VenueBlock[],
  reader = store.reader,
): Promise<Readonly<{ commitMs: Quantiles; signalMs: Quantiles }>> {
  await store.writer.wipeChain()
  const { blocks: done } = replay(blocks)
  const first = done.slice(0, -TIP_BLOCKS)
  await store.writer.commit(first, first.length)
  const commits: number[] = []
  const signals: number[] = []
  const next = await nextEntry(reader)
  for (const block of done.slice(-TIP_BLOCKS)) {
    const delivered = next(block)
    const startMs = performance.now()
    await store.writer.commit([block], block.header.number - 64)
    commits.push(performance.now() - startMs)
    await delivered
    signals.push(performance.now() - startMs)
  }
  next.stop()
  return { commitMs: quantiles(commits), signalMs: quantiles(signals) }
}

/** Returns a function that waits until `reader` has the entry of a block. */
async function nextEntry(reader: Store['reader']) {
  const nothing = {
    trades: 0,
    candles: {},
    settlements: 0,
    priceSeconds: 1e12,
    poolHoursFrom: 1e12,
  }
  let { seq } = await reader.snapshot(nothing)
  let awaited: { hash: string; resolve: () => void } | undefined
  const look = async () => {
    const entries = await reader.feedAfter(seq, 100)
    seq = Math.max(seq, entries.at(-1)?.seq ?? 0)
    if (entries.some(({ header }) => header.hash === awaited?.hash)) awaited?.resolve()
  }
  const stop = reader.onSignal(() => void look())
  const wait = ({ header }: BlockChanges) =>
    new Promise<void>((resolve) => {
      awaited = { hash: header.hash, resolve }
    })
  return Object.assign(wait, { stop })
}

function quantiles(samples: readonly number[]): Quantiles {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
