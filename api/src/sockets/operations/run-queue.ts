// Begins the operations of a client in the order of their arrival.
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Id } from '../session/socket-refusal.ts'

/** Sends the reply where the client waits for an acknowledgement; undefined: as a plain message. */
export type Deliver = ((text: string) => void) | undefined

/** A parsed message, and the function that refuses it. */
export type ParsedMessage = Readonly<{
  id: Id
  deliver: Deliver
  op: unknown
  data: unknown
  auth: unknown
  refuse: (error: unknown) => void
}>

/** Starts waiting operations in order, until one must wait for the database or for a free slot. */
export function runQueue(sessions: Sessions, connection: Connection): void {
  const { queue } = connection
  while (!queue.isBusy && !connection.isClosed) {
    const operation = queue.next()
    if (operation === undefined) return
    const done = operation.perform()
    if (done === undefined) continue
    queue.isBusy = true
    void done
      .catch((error: unknown) => sessions.failed(error))
      .then(() => {
        queue.isBusy = false
        runQueue(sessions, connection)
      })
  }
}
