// Polls for an answer, without using the processor that the answer depends on.
import { until } from '@openvenue/core/test/until'
import { PATIENCE_MS } from './browser.ts'

/** Asks until the answer is right, and returns it; an error contains the last answer. */
export async function untilRight<T>(
  claim: string,
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
): Promise<T> {
  const seen: T[] = []
  const look = async () => {
    seen[0] = await ask()
    return isRight(seen[0])
  }
  await until(() => `${claim}: ${JSON.stringify(seen[0])}`, look, PATIENCE_MS)
  return seen[0] as T
}

/** Asks until the answer has been the same for `steadyMs`, and returns it. */
export async function untilSteady<T>(
  claim: string,
  ask: () => Promise<T>,
  steadyMs: number,
): Promise<T> {
  let last = await ask()
  let sinceMs = performance.now()
  const look = async () => {
    const answer = await ask()
    if (answer !== last) [last, sinceMs] = [answer, performance.now()]
    return performance.now() - sinceMs >= steadyMs
  }
  await until(() => `${claim}: ${JSON.stringify(last)}`, look, PATIENCE_MS)
  return last
}

async function headOf(apiUrl: string): Promise<number> {
  return Number((await fetch(`${apiUrl}/info`)).headers.get('x-block-number'))
}

/** Waits until the venue has advanced by `count` blocks. */
export async function untilBlocks(apiUrl: string, count: number): Promise<void> {
  const wanted = (await headOf(apiUrl)) + count
  await untilRight(
    `the venue is at block ${wanted}`,
    () => headOf(apiUrl),
    (head) => head >= wanted,
  )
}
