// A cache of generated test files in node_modules/.cache, named by a hash of their inputs.
import { hash, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/openvenue')

type CachedFile = Readonly<{
  /** File name prefix. Files with the same prefix and another key are removed. */
  name: string
  /** Hash of all inputs, from `contentKey`. */
  key: string
  /** File extension, including the dot. */
  suffix: string
}>

/** Returns the path of a cached file. Calls `make` for its content if the file is missing. */
export async function cachedFile(
  { name, key, suffix }: CachedFile,
  make: () => Promise<Uint8Array>,
): Promise<string> {
  const path = join(CACHE, `${name}-${key}${suffix}`)
  if (existsSync(path)) return path
  const content = await make()
  await mkdir(CACHE, { recursive: true })
  // Processes may race to get here: each writes its own temporary file, and the last rename wins.
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, content)
  await rename(temporary, path).finally(() => rm(temporary, { force: true }))
  const old = globSync(`${name}-*${suffix}`, { cwd: CACHE }).map((file) => join(CACHE, file))
  await Promise.all(old.filter((file) => file !== path).map((file) => rm(file, { force: true })))
  return path
}

/** Returns a hash of the contents of `files` and of the JSON of `more`. */
export function contentKey(files: readonly string[], more: readonly unknown[] = []): string {
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return hash('sha256', JSON.stringify([texts, more])).slice(0, 16)
}
