// Follows when the next funding of a market is, and writes the time until then, each second.
import type { VenueSocket } from 'openvenue'
import { showCountdown } from '../status/short-texts.ts'

const TICK_MS = 1_000

export type FundingSource = Readonly<{
  socket: VenueSocket
  /** The venue's clock. Unix milliseconds. */
  nowMs: () => number
  show: (text: string) => void
}>

/** Shows the countdown until `signal`. */
export async function followFunding(
  { socket, nowMs, show }: FundingSource,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  let nextMs = 0
  const tick = () => show(nextMs === 0 ? '' : showCountdown(nextMs - nowMs()))
  const timer = setInterval(tick, TICK_MS)
  try {
    for await (const { data } of socket.subscribe(`funding:${name}`, { signal })) {
      nextMs = data.next_funding_time
      tick()
    }
  } finally {
    clearInterval(timer)
  }
}
