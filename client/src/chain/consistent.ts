// Knows a node that leaves out logs from a venue that lies.
import { InvariantError } from '@openvenue/core/assert'
import { ChainError } from './rpc.ts'

/** Returns what `fold` makes of logs; where they cannot be all there are, throws a ChainError. */
export function consistent<T>(fold: () => T): T {
  try {
    return fold()
  } catch (cause) {
    if (!(cause instanceof InvariantError)) throw cause
    throw new ChainError('the logs that the node gave contradict each other', { cause })
  }
}
