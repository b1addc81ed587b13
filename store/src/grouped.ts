// Groups what concurrent callers ask of the database into few transactions: those who come in the
// same turn of the event loop go together, and whoever comes while one runs goes with the next.
import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseBusy } from './db.ts'

/** Runs a group; returns an answer for each item, in their order. */
type RunGroup<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>

type Waiting<Item, Answer> = Readonly<{
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}>

export type GroupLimits<Item> = Readonly<{
  /** For whom it is, as a refusal names it. */
  purpose: string
  /** Items of one run. */
  perRunMax: number
  /** Items that may wait. */
  waitingMax: number
  /** Two items of one key never go in one run; undefined: none such. */
  keysOf: (item: Item) => readonly string[]
}>

/**
 * Returns what adds items and resolves with their answers. A run that fails fails its items alone;
 * where too many wait it throws `DatabaseBusy`.
 */
export function createGrouped<Item, Answer>(
  run: RunGroup<Item, Answer>,
  { purpose, perRunMax, waitingMax, keysOf }: GroupLimits<Item>,
): (items: readonly Item[]) => Promise<readonly Answer[]> {
  let waiting: Waiting<Item, Answer>[] = []
  let isRunning = false
  const takeGroup = () => {
    const keys = new Set<string>()
    const group: Waiting<Item, Answer>[] = []
    const rest: Waiting<Item, Answer>[] = []
    for (const one of waiting) {
      const own = keysOf(one.item)
      const isFree = group.length < perRunMax && own.every((key) => !keys.has(key))
      // Whoever waits behind one of its keys stays behind it.
      for (const key of own) keys.add(key)
      ;(isFree ? group : rest).push(one)
    }
    waiting = rest
    return group
  }
  const work = async () => {
    isRunning = true
    await turn()
    while (waiting.length > 0) {
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
    if (waiting.length + items.length > waitingMax) return Promise.reject(new DatabaseBusy(purpose))
    const answers = items.map(
      (item) =>
        new Promise<Answer>((resolve, reject) => void waiting.push({ item, resolve, reject })),
    )
    if (!isRunning) void work()
    return Promise.all(answers)
  }
}
