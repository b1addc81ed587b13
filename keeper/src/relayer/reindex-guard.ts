// Ends a relayer's turn when the chain is re-indexed meanwhile, since resting and included orders
// then look gone. The next turn waits for the reindex.
import type { Lease } from '@openvenue/runtime/lease'
import type { VenueView } from '../venue-view.ts'

type ReindexGuard = Readonly<{ lease: Lease; signal: AbortSignal; stop: () => void }>

/** Returns the turn, which ends when `ends` aborts or a state with an earlier head is loaded. */
export function untilReadAnew(view: VenueView, lease: Lease, ends: AbortSignal): ReindexGuard {
  const over = new AbortController()
  let { state } = view
  let number = state.head?.number ?? -1
  const stop = view.onChange(() => {
    const head = view.state.head?.number ?? -1
    // An undo block by block keeps the same state object.
    if (view.state !== state && head < number) over.abort()
    ;({ state } = view)
    number = head
  })
  return {
    // Checked synchronously, so that nothing is written from the missing records.
    lease: { ...lease, isHeld: () => !over.signal.aborted && lease.isHeld() },
    signal: AbortSignal.any([ends, over.signal]),
    stop,
  }
}
