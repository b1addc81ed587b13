// A script with COPY among its statements, sent to PostgreSQL in one piece: nobody waits for the
// other between two statements. The server reads the rows of a COPY when it gets there; after an
// error it passes over those that are on their way.
import type { Client, Connection, Submittable } from 'pg'
import { isCopy, type Step, scriptText } from './db.ts'

/** Two methods of the driver that its types leave out. */
declare module 'pg' {
  interface Connection {
    sendCopyFromChunk(rows: Buffer): void
    endCopyFrom(): void
  }
}

/** Runs `steps` in order in one transaction and one round trip. */
export function runScript(client: Client, steps: readonly Step[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Script(steps, resolve, reject))
  })
}

/** A query of several steps, which the driver calls while it is under way. */
class Script implements Submittable {
  readonly #steps: readonly Step[]
  /** Comes after an error too, when the promise no longer heeds it. */
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(steps: readonly Step[], done: () => void, failed: (error: Error) => void) {
    this.#steps = steps
    this.handleReadyForQuery = done
    this.handleError = failed
  }

  submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    connection.query(scriptText(this.#steps))
    for (const step of this.#steps) {
      if (!isCopy(step)) continue
      connection.sendCopyFromChunk(Buffer.from(step.rows))
      connection.endCopyFrom()
    }
    stream.uncork()
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
}
