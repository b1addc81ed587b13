// Lets the event loop turn a number of times: what is under way goes on meanwhile.
import { setImmediate as turn } from 'node:timers/promises'

export async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await turn()
}
