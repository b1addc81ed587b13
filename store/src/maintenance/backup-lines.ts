// A backup consists of gzipped JSON lines: a manifest, then each table's name and columns and its
// rows as text, and last the number of lines and their checksum. It is written and read in bounded
// memory, and its end reveals a truncated or damaged file.
import { createHash } from 'node:crypto'
import type { Cell } from '../db/db.ts'

export const BACKUP_FORMAT = 1

/** Thrown when a file is not a backup, or not the expected one; the message has the reason. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

export type Manifest = Readonly<{
  format: number
  madeMs: number
  /** Names of the scripts that made its tables. */
  migrations: readonly string[]
  chainId: number
  /** Hash of block 0; null: unknown. */
  genesis: string | null
  /** The indexer's last block; null: none. */
  block: Readonly<{ number: number; hash: string }> | null
  /** The last final block whose notifications are in the backup. */
  notifiedTo: number
}>

export type TableLine = Readonly<{ table: string; columns: readonly string[] }>
type EndLine = Readonly<{ lines: number; sha256: string }>
export type BackupLine = Manifest | TableLine | readonly Cell[]

/** Counts lines and computes their checksum. */
export class LineSum {
  #lines = 0
  readonly #hash = createHash('sha256')

  add(line: string): void {
    this.#lines += 1
    this.#hash.update(`${line}\n`)
  }

  end(): EndLine {
    return { lines: this.#lines, sha256: this.#hash.digest('hex') }
  }
}

/** Yields the lines of a backup without its end; throws unless the end matches. */
export async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<BackupLine> {
  const sum = new LineSum()
  let last: string | undefined
  for await (const line of lines) {
    if (last !== undefined) {
      sum.add(last)
      yield parse(last)
    }
    last = line
  }
  const { lines: count, sha256 } = sum.end()
  const endLine = parse(last ?? '') as unknown as Partial<EndLine>
  if (endLine.lines !== count || endLine.sha256 !== sha256)
    throw new BackupRefused('the file is not whole: its end does not fit the rest')
}

function parse(line: string): BackupLine {
  try {
    return JSON.parse(line) as BackupLine
  } catch {
    throw new BackupRefused('the file is damaged or not a backup')
  }
}

/** Returns the manifest, which must be the first line. */
export function requireManifest(line: BackupLine | undefined): Manifest {
  if (line === undefined || !('format' in line))
    throw new BackupRefused('the file is not a backup of a venue')
  if (line.format !== BACKUP_FORMAT)
    throw new BackupRefused(`the file has format ${line.format}, and this is for ${BACKUP_FORMAT}`)
  return line
}
