// The intents as commands on orders use them: a database that does not answer is a refusal.
import { historyUnavailable } from '../http/refusals.ts'
import type { OrderParts } from './order-parts.ts'

type Commands = OrderParts['intents']

/** Returns `intents`, each call of which refuses with 503 where the database fails. */
export function answeringIntents(intents: Commands): Commands {
  return {
    add: (added) => intents.add(added).catch(unavailable),
    move: (moves) => intents.move(moves).catch(unavailable),
    find: (ids) => intents.find(ids).catch(unavailable),
    promisesOf: (ids) => intents.promisesOf(ids).catch(unavailable),
    findByClientOrderId: (...name) => intents.findByClientOrderId(...name).catch(unavailable),
  }
}

// What was asked may have been committed all the same: the same body again says so.
const unavailable = (cause: unknown): never => {
  throw historyUnavailable(cause)
}
