// Groups concurrent database calls into few transactions: calls in the same turn of the event loop
// share one, and calls during a run share the next.
import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseBusy } from './db.ts'

/** Runs a group; returns an answer for each item, in their order. */
type RunGroup<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>

type QueuedItem<Item, Answer> = Readonly<{
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}>

type GroupLimits<Item> = Readonly<{
  /** Purpose named in errors. */
  purpose: string
  /** Maximum number of items in one run. */
  perRunMax: number
  /** Maximum number of waiting items. */
  waitingMax: number
  /** Items that share a key never share a run; undefined: no item has keys. */
  keysOf: (item: Item) => readonly string[]
}>

/**
 * Returns a function that adds items and resolves with their answers. A failed run only fails its
 * own items; the call throws `DatabaseBusy` when too many wait.
 */
export function createGrouped<Item, Answer>(
  run: RunGroup<Item, Answer>,
  { purpose, perRunMax, waitingMax, keysOf }: GroupLimits<Item>,
): (items: readonly Item[]) => Promise<readonly Answer[]> {
  let queue: QueuedItem<Item, Answer>[] = []
  let isRunning = false
  const takeGroup = () => {
    const keys = new Set<string>()
    const group: QueuedItem<Item, Answer>[] = []
    const rest: QueuedItem<Item, Answer>[] = []
    for (const queued of queue) {
      const itemKeys = keysOf(queued.item)
      const isFree = group.length < perRunMax && itemKeys.every((key) => !keys.has(key))
      // Later items with one of its keys stay behind it.
      for (const key of itemKeys) keys.add(key)
      ;(isFree ? group : rest).push(queued)
    }
    queue = rest
    return group
  }
  const work = async () => {
    isRunning = true
    await turn()
    while (queue.length > 0) {
      const group = takeGroup()
      try {
        const answers = await run(group.map(({ item }) => item))
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }
  return (items) => {
    if (queue.length + items.length > waitingMax) return Promise.reject(new DatabaseBusy(purpose))
    const answers = items.map(
      (item) =>
        new Promise<Answer>((resolve, reject) => void queue.push({ item, resolve, reject })),
    )
    if (!isRunning) void work()
    return Promise.all(answers)
  }
}
