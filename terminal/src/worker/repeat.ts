// Asks the venue again and again, one request after the other.
import { OpenvenueError } from 'openvenue'

/**
 * Does `work` now and whenever `everyMs` have passed since it ended. What the venue refuses, or
 * does not answer, is asked again the next time: what is shown meanwhile says its age.
 */
export async function repeat(work: () => Promise<void>, everyMs: number): Promise<never> {
  for (;;) {
    await work().catch((error: unknown) => {
      if (!(error instanceof OpenvenueError)) throw error
    })
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
