// Reads the files of docs/ that are served: the guides, the documents for programs, and the pages
// that api/scripts/write-openapi.ts builds in docs/site.
import { readdirSync, readFileSync } from 'node:fs'
import { Refusal } from '../http/refusals.ts'

export const DOCS = new URL('../../../docs/', import.meta.url)

/** Returns a file by its path below docs/, or by its URL. Throws a refusal if it is not there. */
export const readDocsFile = (path: string | URL): Buffer =>
  attempt(() => readFileSync(new URL(path, DOCS)))

/** Returns the names of the files in a folder of docs/, without those of its folders. */
export const listDocsFiles = (folder: string): readonly string[] =>
  attempt(() =>
    readdirSync(new URL(folder, DOCS), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name),
  )

function attempt<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new Refusal('INTERNAL_ERROR', { cause })
  }
}

/** Returns a function that calls `make` once, on its first call, and caches the result. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
