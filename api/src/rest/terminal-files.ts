// Reads the built terminal into memory at the start. Only these files are served, so no request
// path ever reaches the file system.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invalid } from '@openvenue/runtime/environment'
import { HTML_TYPE, JSON_TYPE } from '../http/host-type.ts'

/** Maximum size of all files, which stay in memory with their encodings; the page has 0.4 MB. */
const TERMINAL_BYTES_MAX = 16 * 1024 * 1024
/** Maximum number of files; each is a route. */
const TERMINAL_FILES_MAX = 500
/** Output folder of `npm run build -w terminal`. */
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
  /** Relative to the folder, with slashes: `assets/index.js`. */
  path: string
  type: string
  bytes: Buffer
}>
export type Terminal = Readonly<{
  index: TerminalFile
  /** All others. */
  files: readonly TerminalFile[]
  /** Origins that the page requests besides its API: another API, a chain node. */
  urls: readonly string[]
}>

/** URLs given to the page where its own config.json has none. */
type PageHosts = Readonly<{
  /** The second host, which has the pools. */
  integratedUrl?: string | undefined
  /** A page that gives test money. */
  faucetUrl?: string | undefined
}>

/**
 * Returns the page in `folder`, by default the built one; undefined when none was built. Throws
 * `ConfigInvalid` when a named folder holds no page, or is too large.
 */
export function readTerminal(
  folder: string | undefined,
  hosts: PageHosts = {},
): Terminal | undefined {
  const at = folder ?? BUILT
  const isThere = existsSync(join(at, INDEX))
  if (!isThere && folder === undefined) return undefined
  if (!isThere) throw wrong(`a folder with the built terminal, ${INDEX} in it`, at)
  const files = readFiles(at)
  const index = files.find(({ path }) => path === INDEX)
  if (index === undefined) throw wrong(`a folder whose ${INDEX} is a file`, at)
  const others = files.filter((file) => file !== index)
  const config = readConfig(others, hosts, at)
  const whole = { path: CONFIG, type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(config)) }
  return {
    index,
    files: [...others.filter(({ path }) => path !== CONFIG), whole],
    urls: [config.apiUrl, config.rpcUrl, config.integratedUrl].filter((url) => url !== ''),
  }
}

const wrong = (rule: string, folder: string) => invalid('TERMINAL_DIR', rule, folder)

/** Skips hidden files, and everything that is not a file, such as links that lead elsewhere. */
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

type TerminalConfig = Record<'apiUrl' | 'rpcUrl' | 'integratedUrl' | 'faucetUrl', string>

/** Returns the settings of config.json, with `hosts` as defaults. */
function readConfig(
  files: readonly TerminalFile[],
  hosts: PageHosts,
  folder: string,
): TerminalConfig {
  const file = files.find(({ path }) => path === CONFIG)
  try {
    const config = JSON.parse(String(file?.bytes)) as Record<string, unknown>
    const { integratedUrl = '', faucetUrl = '' } = hosts
    const url = (name: keyof TerminalConfig, other = '') => {
      const value = config[name] || other
      return value === '' ? '' : httpUrl(value)
    }
    return {
      ...config,
      apiUrl: config.apiUrl === '' ? '' : httpUrl(config.apiUrl),
      rpcUrl: url('rpcUrl'),
      integratedUrl: url('integratedUrl', integratedUrl),
      faucetUrl: url('faucetUrl', faucetUrl),
    }
  } catch {
    const names = 'a node (rpcUrl), the second host (integratedUrl), a faucet (faucetUrl)'
    const rule = `a folder whose ${CONFIG} is {"apiUrl": ""}, or has the URL of an API, ${names}`
    throw wrong(rule, folder)
  }
}

function httpUrl(value: unknown): string {
  const { href, protocol } = new URL(String(value))
  if (!/^https?:$/.test(protocol)) throw new TypeError('expected an http or https URL')
  return href
}
