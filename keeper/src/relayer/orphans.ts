// Takes up what a former relayer has sent: each of its transactions is followed, as our own are.
import type { Clock } from '../clock.ts'
import type { Followed } from './follow-tx.ts'
import type { IntentQueue, Tracked } from './intent-queue.ts'
import type { Outcomes } from './outcomes.ts'

type OrphansDeps = Readonly<{
  queue: IntentQueue
  outcomes: Outcomes
  follow: (followed: Followed) => Promise<void>
}>

/** They are looked for this often: a former relayer may have written something down since. */
const LOOK_MS = 1_000

/** Follows every sent intent that nothing of this process carries, until `signal` aborts. */
export async function keepTakingUp(
  deps: OrphansDeps,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    takeUp(deps, signal)
    await clock.delay(LOOK_MS, signal)
  }
}

function takeUp({ queue, outcomes, follow }: OrphansDeps, signal: AbortSignal): void {
  const byHash = new Map<string, Tracked[]>()
  for (const tracked of queue.all()) {
    const { state, txHash = '' } = tracked.intent
    if (state !== 'sent' || tracked.isCarried) continue
    tracked.isCarried = true
    const batch = byHash.get(txHash) ?? []
    byHash.set(txHash, batch)
    batch.push(tracked)
  }
  for (const [hash, batch] of byHash)
    void (hash === '' ? outcomes.requeue(batch) : follow({ batch, hash, signal }))
}
