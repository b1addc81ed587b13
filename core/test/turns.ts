// Waits for a number of event loop turns, during which pending work proceeds.
import { setImmediate as turn } from 'node:timers/promises'

export async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await turn()
}
