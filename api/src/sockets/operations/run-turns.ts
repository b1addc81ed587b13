// Begins what a client asked for, in the order in which it asked.
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Id } from '../session/socket-refusal.ts'

/** Sends the reply where the client waits for it; undefined: as everything is sent. */
export type Deliver = ((text: string) => void) | undefined

/** A message, parsed, and what refuses it. */
export type Asked = Readonly<{
  id: Id
  deliver: Deliver
  op: unknown
  data: unknown
  auth: unknown
  refuse: (error: unknown) => void
}>

/** Begins what waits, in order, until something has to wait for the database, or for its room. */
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
