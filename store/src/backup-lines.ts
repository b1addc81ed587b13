// A backup is gzipped lines of JSON: a manifest, then for each table its name and columns and its
// rows as text, and at the end how many lines there were and their checksum. So it is written and
// read in bounded memory, and one that was cut off or damaged is known by its end.
import { createHash } from 'node:crypto'
import type { Cell } from './db.ts'

export const BACKUP_FORMAT = 1

/** A file is no backup, or not the one that is wanted; the message says why. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

export type Manifest = Readonly<{
  format: number
  madeMs: number
  /** Names of the scripts that made its tables. */
  migrations: readonly string[]
  chainId: number
  /** Hash of block 0; null: the chain was never asked. */
  genesis: string | null
  /** The last block of the indexer; null: it had none. */
  block: Readonly<{ number: number; hash: string }> | null
  /** The last final block whose notifications are in the backup. */
  notifiedTo: number
}>

export type TableLine = Readonly<{ table: string; columns: readonly string[] }>
type EndLine = Readonly<{ lines: number; sha256: string }>
export type BackupLine = Manifest | TableLine | readonly Cell[]

/** Counts lines and sums them up, for the last one. */
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

/** Yields what a backup holds, without its end; throws at the end unless that fits. */
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
  const said = parse(last ?? '') as unknown as Partial<EndLine>
  if (said.lines !== count || said.sha256 !== sha256)
    throw new BackupRefused('the file is not whole: its end does not fit the rest')
}

function parse(line: string): BackupLine {
  try {
    return JSON.parse(line) as BackupLine
  } catch {
    throw new BackupRefused('the file is damaged, or is no backup')
  }
}

/** Returns the manifest that a backup has to begin with. */
export function requireManifest(line: BackupLine | undefined): Manifest {
  if (line === undefined || !('format' in line))
    throw new BackupRefused('the file is no backup of a venue')
  if (line.format !== BACKUP_FORMAT)
    throw new BackupRefused(`the file has format ${line.format}, and this is for ${BACKUP_FORMAT}`)
  return line
}
