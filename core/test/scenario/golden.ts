// Recorded scenarios: events in, changes out, both as readable text.
import type { BlockChanges, Change } from '../../src/changes.ts'
import { invertChanges } from '../../src/changes.ts'
import type { Header, LoggedEvent, VenueBlock } from '../../src/events.ts'
import { emptyState, fold } from '../../src/state.ts'
import { applyBlock } from '../../src/venue.ts'
import { decodeExact, encodeExact } from './exact-json.ts'

/** A block, or the number of the head block to undo. */
type Step = VenueBlock | Readonly<{ undo: number }>

export type Golden = Readonly<{ title: string; steps: readonly Step[] }>

type Line = { title: string } | { header: Header } | { undo: number } | LoggedEvent

/**
 * Returns a recorded scenario as lines of JSON: the title, then a line per header, event and undo.
 */
export function encodeGolden({ title, steps }: Golden): string {
  const lines: Line[] = [{ title }]
  for (const step of steps) {
    if ('undo' in step) lines.push({ undo: step.undo })
    else lines.push({ header: step.header }, ...step.events)
  }
  return `${lines.map(encodeExact).join('\n')}\n`
}

/** Returns the scenario encoded in `text`, which must come from `encodeGolden`. */
export function decodeGolden(text: string): Golden {
  const steps: Step[] = []
  let title = ''
  let events: LoggedEvent[] = []
  for (const line of text.trimEnd().split('\n').map(decodeExact) as Line[]) {
    if ('title' in line) title = line.title
    else if ('undo' in line) steps.push(line)
    else if ('header' in line) {
      events = []
      steps.push({ header: line.header, events })
    } else events.push(line)
  }
  return { title, steps }
}

/**
 * Returns the changes of each step of a scenario, one per line: the record after it, and only the
 * differing fields of the record before it.
 */
export function renderGolden({ title, steps }: Golden): string {
  const state = emptyState()
  const done: { head: Header | undefined; block: BlockChanges }[] = []
  const lines = [encodeExact({ title })]
  for (const step of steps) {
    let changes: readonly Change[]
    if ('undo' in step) {
      const last = done.pop()
      changes = invertChanges(last?.block.changes ?? [])
      fold(state, changes)
      state.head = last?.head
      lines.push(encodeExact(step))
    } else {
      const head = state.head
      const block = applyBlock(state, step)
      done.push({ head, block })
      changes = block.changes
      lines.push(encodeExact({ block: step.header.number, seconds: step.header.seconds }))
    }
    for (const change of changes) lines.push(`  ${encodeExact(shortened(change))}`)
  }
  return `[\n${lines.join(',\n')}\n]\n`
}

function shortened({ what, before, after }: Change): object {
  if (before === undefined) return { what, after }
  if (after === undefined) return { what, before, after: null }
  const was = before as Readonly<Record<string, unknown>>
  const is = after as Readonly<Record<string, unknown>>
  const differing = Object.keys(was).filter((name) => was[name] !== is[name])
  return { what, before: Object.fromEntries(differing.map((name) => [name, was[name]])), after }
}
