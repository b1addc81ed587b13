// Ends a relayer's turn when the chain begins to be read anew under it: whatever rests or is
// included looks gone then. Whether there is something to wait for is asked before the next turn.
import type { Lease } from '@openvenue/store/lease'
import type { VenueView } from '../venue-view.ts'

type Turn = Readonly<{ lease: Lease; signal: AbortSignal; stop: () => void }>

/** Returns the turn as it is until `ends` aborts, or a state is loaded that goes less far. */
export function untilReadAnew(view: VenueView, lease: Lease, ends: AbortSignal): Turn {
  const over = new AbortController()
  let { state } = view
  let number = state.head?.number ?? -1
  const stop = view.onChange(() => {
    const head = view.state.head?.number ?? -1
    // What is undone block by block stays the same state.
    if (view.state !== state && head < number) over.abort()
    ;({ state } = view)
    number = head
  })
  return {
    // In the same turn of the loop: nothing is written down by what has gone.
    lease: { ...lease, isHeld: () => !over.signal.aborted && lease.isHeld() },
    signal: AbortSignal.any([ends, over.signal]),
    stop,
  }
}
