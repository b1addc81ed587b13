// Waits for what the venue will say, without keeping the processor from it.
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './browser.ts'

/** A quarter of the devnet's time from block to block. */
const LOOK_MS = 50

/** Asks until the answer is right, and returns it; throws with the last one after too long. */
export async function until<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
  msMax = PATIENCE_MS,
): Promise<T> {
  const deadlineMs = performance.now() + msMax
  for (;;) {
    const answer = await ask()
    if (isRight(answer)) return answer
    if (performance.now() > deadlineMs)
      throw new Error(`not in ${msMax} ms: ${JSON.stringify(answer)}`)
    await sleep(LOOK_MS)
  }
}

/** Returns the newest block of the API. */
export async function headOf(apiUrl: string): Promise<number> {
  return Number((await fetch(`${apiUrl}/info`)).headers.get('x-block-number'))
}

/** Waits until the venue is so many blocks further. */
export async function untilBlocks(apiUrl: string, count: number): Promise<void> {
  const wanted = (await headOf(apiUrl)) + count
  await until(
    () => headOf(apiUrl),
    (head) => head >= wanted,
  )
}
