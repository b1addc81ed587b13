// Measures how fast core applies blocks: `node core/bench/replay.ts [blocks] [seed]`. Also measures
// the rows and the feed text of the same blocks. The log is a random scenario; its mix is printed.
import { performance } from 'node:perf_hooks'
import type { BlockChanges } from '@openvenue/core/changes'
import { decodeChanges, encodeChanges } from '@openvenue/core/codec'
import type { VenueBlock } from '@openvenue/core/events'
import { deriveRows } from '@openvenue/core/rows'
import { emptyState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { applyBlock } from '@openvenue/core/venue'

const RUNS = 5
const BOOK_EVENTS = new Set(['Placed', 'Filled', 'Cancelled', 'Reduced'])

const [blockCount = 5000, seed = 1] = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Returns the best of several runs: events per second by wall clock and by thread CPU time. */
function fastest(events: number, run: () => void): string {
  const runs = Array.from({ length: RUNS }, () => {
    const [start, cpu] = [performance.now(), process.threadCpuUsage()]
    run()
    const { user, system } = process.threadCpuUsage(cpu)
    return { wall: performance.now() - start, cpu: (user + system) / 1000 }
  })
  const rate = (key: 'wall' | 'cpu') => {
    const ms = Math.min(...runs.map((run) => run[key]))
    return Math.round((events / ms) * 1000).toLocaleString('en')
  }
  return `${rate('wall')} events/s, ${rate('cpu')} events/s of CPU`
}

/** Returns `blocks` merged in groups of `size`, as on a busier chain. */
function joined(blocks: readonly VenueBlock[], size: number): VenueBlock[] {
  const out: VenueBlock[] = []
  for (let i = 0; i < blocks.length; i += size) {
    const part = blocks.slice(i, i + size)
    const last = part.at(-1)
    if (last === undefined) break
    const events = part
      .flatMap(({ events }) => events)
      .map((event, logIndex) => ({ ...event, logIndex }))
    out.push({ header: { ...last.header, number: out.length + 1, parentHash: '' }, events })
  }
  return out.map((block, i) => ({
    ...block,
    header: { ...block.header, parentHash: out[i - 1]?.header.hash ?? '' },
  }))
}

function replay(blocks: readonly VenueBlock[], keep?: (changes: BlockChanges) => void): void {
  const state = emptyState()
  for (const block of blocks) {
    const changes = applyBlock(state, block)
    keep?.(changes)
  }
}

function measure(name: string, blocks: readonly VenueBlock[]): void {
  const events = blocks.reduce((sum, block) => sum + block.events.length, 0)
  const changes: BlockChanges[] = []
  replay(blocks, (block) => changes.push(block))
  const texts = changes.map((block) => encodeChanges(block.changes))
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  const count = changes.reduce((sum, block) => sum + block.changes.length, 0)
  print(
    `${name}: ${events} events, ${count} changes, ${Math.round(size / events)} feed bytes/event`,
  )
  const figures = {
    applyBlock: () => replay(blocks),
    deriveRows: () => changes.forEach((block) => void deriveRows(block.changes)),
    encodeChanges: () => changes.forEach((block) => void encodeChanges(block.changes)),
    decodeChanges: () => texts.forEach((text) => void decodeChanges(text)),
  }
  for (const [label, run] of Object.entries(figures))
    print(`  ${label.padEnd(14)} ${fastest(events, run)}`)
}

const blocks = randomScenario(seed, blockCount, { actionsMax: 24 }).map((block) => ({
  header: { ...block.header, seconds: 1_767_225_600 + block.header.number },
  events: block.events.filter(({ type }) => BOOK_EVENTS.has(type) || block.header.number === 1),
}))
const mix = new Map<string, number>()
for (const { type } of blocks.flatMap(({ events }) => events))
  mix.set(type, (mix.get(type) ?? 0) + 1)
print(`node ${process.version}, seed ${seed}: ${JSON.stringify(Object.fromEntries(mix))}`)
measure('blocks of about 15 events', blocks)
measure('blocks of about 150 events', joined(blocks, 10))
