// Records which texts were generated from which sources, so that a check with unchanged sources
// need not compile them again. The record is in node_modules/.cache: a fresh clone compiles.
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Hashes of generated texts by file path. */
type Fingerprints = Readonly<Record<string, string>>
type Memory = Readonly<{ inputs: string; outputs: Fingerprints }>

const REPOSITORY = join(import.meta.dirname, '..', '..')
const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'openvenue')

/** Files that affect the compiler's output for all contracts. */
const ALWAYS = ['contracts/foundry.toml', 'contracts/tools/*', 'contracts/scripts/*.ts']
/** The file with the versions of the compiler and the libraries. */
const VERSIONS = 'package-lock.json'

const sha = (text: string) => hash('sha256', text)

export const fingerprint = (texts: Readonly<Record<string, string>>): Fingerprints =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, sha(text)]))

/** Returns the hash of the sources matching `patterns`, of the compiler and of its settings. */
export function hashInputs(
  patterns: readonly string[],
  root = REPOSITORY,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const paths = globSync([...ALWAYS, VERSIONS, ...patterns], { cwd: root }).sort()
  const files = paths.filter((path) => statSync(join(root, path)).isFile())
  const settings = Object.entries(env).filter(([name]) => /^(FOUNDRY|DAPP|FORGE)_/.test(name))
  const texts = files.map((path) => [path, sha(readFileSync(join(root, path), 'latin1'))])
  return sha(JSON.stringify([texts, settings.sort()]))
}

/** Returns the texts generated from `inputs`, or nothing if the last ones had other inputs. */
export function recall(name: string, inputs: string, cache = CACHE): Fingerprints | undefined {
  try {
    const memory: Memory = JSON.parse(readFileSync(join(cache, `${name}.json`), 'utf8'))
    return memory.inputs === inputs ? memory.outputs : undefined
  } catch {
    return undefined // absent, or cut short by a crash: as if nothing had been generated
  }
}

export function remember(
  name: string,
  inputs: string,
  outputs: Fingerprints,
  cache = CACHE,
): Fingerprints {
  const path = join(cache, `${name}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ inputs, outputs } satisfies Memory, undefined, 2)}\n`)
  return outputs
}

/** Returns the paths of files that differ from their generated text. */
export const findStale = (fresh: Fingerprints): string[] =>
  Object.entries(fresh)
    .filter(([path, expected]) => sha(read(path)) !== expected)
    .map(([path]) => path)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
