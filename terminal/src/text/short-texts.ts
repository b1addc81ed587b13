// Formats the values beside the prices: the round trip, and the time until the next funding.

/** Returns a round trip as text; empty if none was measured. */
export const showLatency = (ms: number | undefined): string =>
  ms === undefined ? '' : `${Math.max(Math.round(ms), 1)} ms`

/** Returns a remaining time as a countdown, `0:41:12`; empty once it is over. */
export function showCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 0) return ''
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
}
