// Remembers the signatures of requests for as long as they would be taken, so that each is taken
// once, whichever node it comes to. What comes at the same time is written together.
import { DatabaseBusy, type Db, type Sql } from './db.ts'

/** Signatures of one statement. */
const BATCH_MAX = 500
/** Signatures that wait for the statement before theirs; whoever comes then is to come back. */
export const WAITING_SIGNATURES_MAX = 5_000
/** How often those that are over are deleted, while others come, and how many at a time. */
const SWEEP_MS = 10_000
const SWEPT_MAX = 10_000

export const USED_SIGNATURES_SQL = {
  use: `INSERT INTO used_request_signatures (signature, expires_ms)
    SELECT decode(given.signature, 'hex'), given.ms
    FROM unnest($1::text[], $2::bigint[]) AS given (signature, ms)
    ON CONFLICT DO NOTHING RETURNING encode(signature, 'hex')`,
  sweep: `DELETE FROM used_request_signatures WHERE signature IN (SELECT signature
    FROM used_request_signatures WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT ${SWEPT_MAX}
    FOR UPDATE SKIP LOCKED) RETURNING 1`,
} as const

/** `signature` is lower-case hex. */
export type SignatureUse = Readonly<{ signature: string; expiresMs: number; nowMs: number }>

type Waiting = SignatureUse &
  Readonly<{ resolve: (isFirst: boolean) => void; reject: (error: unknown) => void }>

export class UsedSignatures {
  readonly #db: Pick<Db, 'keys'>
  readonly #waiting: Waiting[] = []
  #isWriting = false
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(db: Pick<Db, 'keys'>) {
    this.#db = db
  }

  /** Returns true to the first who comes with a signature, and false to everybody else. */
  use(use: SignatureUse): Promise<boolean> {
    if (this.#waiting.length >= WAITING_SIGNATURES_MAX)
      return Promise.reject(new DatabaseBusy('signatures of requests'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...use, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, BATCH_MAX))
    this.#isWriting = false
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const first = await insert(this.#db.keys, batch)
      // Of two that are the same, one was first.
      for (const { signature, resolve } of batch) resolve(first.delete(signature))
      await this.#sweep(batch[0]?.nowMs ?? 0)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** What is over harms nobody: when the database fails, the next one sweeps. */
  async #sweep(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#sweptMs) < SWEEP_MS) return
    this.#sweptMs = nowMs
    const swept = await this.#db.keys.query(USED_SIGNATURES_SQL.sweep, [nowMs]).catch(() => [])
    if (swept.length >= SWEPT_MAX) this.#sweptMs = Number.NEGATIVE_INFINITY
  }
}

/** In one order, so that nodes which write the same ones never wait for each other in a circle. */
async function insert(sql: Sql, batch: readonly Waiting[]): Promise<Set<string>> {
  const sorted = batch.toSorted((a, b) => (a.signature < b.signature ? -1 : 1))
  const signatures = `{${sorted.map(({ signature }) => signature).join(',')}}`
  const expiries = `{${sorted.map(({ expiresMs }) => Math.ceil(expiresMs)).join(',')}}`
  const rows = await sql.query(USED_SIGNATURES_SQL.use, [signatures, expiries])
  return new Set(rows.map(([signature]) => String(signature)))
}
