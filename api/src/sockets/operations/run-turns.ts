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

/** Begins waiting turns in order, until one has to wait for the database or for a free slot. */
export function runTurns(sessions: Sessions, connection: Connection): void {
  const { turns } = connection
  while (!turns.isBusy && !connection.isClosed) {
    const turn = turns.next()
    if (turn === undefined) return
    const done = turn.perform()
    if (done === undefined) continue
    turns.isBusy = true
    void done
      .catch((error: unknown) => sessions.failed(error))
      .then(() => {
        turns.isBusy = false
        runTurns(sessions, connection)
      })
  }
}
