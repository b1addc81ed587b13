// Reads the built terminal into memory, once: what is served is a list of files that were there at
// the start, so no path of a request ever reaches the file system.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invalid } from '@openvenue/store/environment'
import { HTML_TYPE, JSON_TYPE } from '../http/host-type.ts'

/** All files of the page, which are kept in memory with their codings: it has 0.4 MB. */
const TERMINAL_BYTES_MAX = 16 * 1024 * 1024
/** Each is a route. */
const TERMINAL_FILES_MAX = 500
/** Where `npm run build -w terminal` leaves the page. */
const BUILT = fileURLToPath(new URL('../../../terminal/dist', import.meta.url))
const INDEX = 'index.html'
const CONFIG = 'config.json'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': HTML_TYPE,
  '.js': 'text/javascript; charset=utf-8',
  '.json': JSON_TYPE,
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const UNKNOWN_TYPE = 'application/octet-stream'

export type TerminalFile = Readonly<{
  /** Below the folder, with slashes: `assets/index.js`. */
  path: string
  type: string
  bytes: Buffer
}>
export type Terminal = Readonly<{
  index: TerminalFile
  /** All others. */
  files: readonly TerminalFile[]
  /** What the page is to ask besides the API that serves it: another API, a node of the chain. */
  urls: readonly string[]
}>

/**
 * Returns the page in `folder`, by default where it is built; undefined where none was built.
 * Throws `ConfigInvalid` when a folder that is named holds no page, or too much.
 */
export function readTerminal(folder: string | undefined): Terminal | undefined {
  const at = folder ?? BUILT
  const isThere = existsSync(join(at, INDEX))
  if (!isThere && folder === undefined) return undefined
  if (!isThere) throw wrong(`a folder with the built terminal, ${INDEX} in it`, at)
  const files = readFiles(at)
  const index = files.find(({ path }) => path === INDEX)
  if (index === undefined) throw wrong(`a folder whose ${INDEX} is a file`, at)
  const others = files.filter((file) => file !== index)
  return { index, files: others, urls: readUrls(others, at) }
}

const wrong = (rule: string, folder: string) => invalid('TERMINAL_DIR', rule, folder)

/** Leaves out what is no file, such as links that lead elsewhere, and what has a dot before it. */
function readFiles(folder: string): readonly TerminalFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  if (paths.length > TERMINAL_FILES_MAX || bytes > TERMINAL_BYTES_MAX)
    throw wrong(`a folder of at most ${TERMINAL_FILES_MAX} files and 16 MB`, folder)
  return paths.map((path) => ({
    path: relative(folder, path).replaceAll(sep, '/'),
    type: TYPES[extname(path)] ?? UNKNOWN_TYPE,
    bytes: readFileSync(path),
  }))
}

function readUrls(files: readonly TerminalFile[], folder: string): readonly string[] {
  const config = files.find(({ path }) => path === CONFIG)
  try {
    const { apiUrl, rpcUrl = '' } = JSON.parse(String(config?.bytes)) as Record<string, unknown>
    return [apiUrl, rpcUrl].filter((url) => url !== '').map((url) => httpUrl(url))
  } catch {
    throw wrong(
      `a folder whose ${CONFIG} is {"apiUrl": ""}, or has the URL of an API and of a node (rpcUrl)`,
      folder,
    )
  }
}

function httpUrl(value: unknown): string {
  const { href, protocol } = new URL(String(value))
  if (!/^https?:$/.test(protocol)) throw new TypeError('pages ask over HTTP')
  return href
}
