// Stores request signatures while they are valid, so that each is accepted once on any node.
// Concurrent ones are written together.
import type { Db, Sql } from '../db/db.ts'
import { createGrouped } from '../db/grouped.ts'

/** Signatures per statement. */
const BATCH_MAX = 500
/** Maximum number of waiting signatures; further calls are refused. */
export const WAITING_SIGNATURES_MAX = 5_000
/** Interval and size of deletions of expired signatures. */
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

export class UsedSignatures {
  readonly #db: Pick<Db, 'keys'>
  readonly #add: (uses: readonly SignatureUse[]) => Promise<readonly boolean[]>
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(db: Pick<Db, 'keys'>) {
    this.#db = db
    this.#add = createGrouped<SignatureUse, boolean>((uses) => this.#write(uses), {
      purpose: 'signatures of requests',
      perRunMax: BATCH_MAX,
      waitingMax: WAITING_SIGNATURES_MAX,
      keysOf: ({ signature }) => [signature],
    })
  }

  /** Returns true to the first caller with a signature, and false to all others. */
  async use(use: SignatureUse): Promise<boolean> {
    const [isFirst = false] = await this.#add([use])
    return isFirst
  }

  async #write(uses: readonly SignatureUse[]): Promise<readonly boolean[]> {
    const first = await insert(this.#db.keys, uses)
    await this.#sweep(uses[0]?.nowMs ?? 0)
    return uses.map(({ signature }) => first.has(signature))
  }

  /** Expired rows are harmless: after a database failure, the next call sweeps. */
  async #sweep(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#sweptMs) < SWEEP_MS) return
    this.#sweptMs = nowMs
    const swept = await this.#db.keys.query(USED_SIGNATURES_SQL.sweep, [nowMs]).catch(() => [])
    if (swept.length >= SWEPT_MAX) this.#sweptMs = Number.NEGATIVE_INFINITY
  }
}

/** In a fixed order, so that nodes writing the same signatures never deadlock. */
async function insert(sql: Sql, batch: readonly SignatureUse[]): Promise<Set<string>> {
  const sorted = batch.toSorted((a, b) => (a.signature < b.signature ? -1 : 1))
  const signatures = `{${sorted.map(({ signature }) => signature).join(',')}}`
  const expiries = `{${sorted.map(({ expiresMs }) => Math.ceil(expiresMs)).join(',')}}`
  const rows = await sql.query(USED_SIGNATURES_SQL.use, [signatures, expiries])
  return new Set(rows.map(([signature]) => String(signature)))
}
