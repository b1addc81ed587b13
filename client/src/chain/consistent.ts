// Distinguishes a node that leaves out logs from a venue that lies.
import { InvariantError } from '@openvenue/core/assert'
import { ChainError } from './rpc.ts'

/** Returns the result of `fold`. Throws a ChainError if the logs contradict each other. */
export function consistent<T>(fold: () => T): T {
  try {
    return fold()
  } catch (cause) {
    if (!(cause instanceof InvariantError)) throw cause
    throw new ChainError('the logs that the node gave contradict each other', { cause })
  }
}
