// Sends a script with COPY statements to PostgreSQL in one piece, without round trips between
// statements. The server reads the rows of a COPY when it reaches it; after an error it skips those
// still arriving.
import type { Client, Connection, Submittable } from 'pg'
import { isCopy, scriptText, type WriteStep } from './db.ts'

/** Two methods of the driver that are missing in its types. */
declare module 'pg' {
  interface Connection {
    sendCopyFromChunk(rows: Buffer): void
    endCopyFrom(): void
  }
}

/** Runs `steps` in order in one transaction and one round trip. */
export function runScript(client: Client, steps: readonly WriteStep[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Script(steps, resolve, reject))
  })
}

/** A query of several steps, called by the driver while in progress. */
class Script implements Submittable {
  readonly #steps: readonly WriteStep[]
  /** Also called after an error, when the promise is already settled. */
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(steps: readonly WriteStep[], done: () => void, failed: (error: Error) => void) {
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
