// Secrets read from files, as systemd credentials and container secrets provide them. Unlike a
// variable, a file is not visible in the process list and child processes do not inherit it.
import { readFileSync, statSync } from 'node:fs'
import { ConfigInvalid, type Environment } from './environment.ts'

/** Each may be named by a file: `KEEPER_KEY_FILE` in place of `KEEPER_KEY`, and so on. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'FEED_URL',
  'RPC_URL',
  'RPC_WS_URL',
  'KEEPER_KEY',
  'KEEPER_PRICE_URL',
  'RELAY_KEYS',
  'RELAY_RECEIPT_KEY',
  'KEY_ENCRYPTION_KEY',
] as const

/** Mode bits that let every account of the machine read or write a file. */
const BY_OTHERS = 0o006
export const isOpenToOthers = (mode: number): boolean => (mode & BY_OTHERS) !== 0

/** Seventeen keys are shorter. A wrong path, such as of a database, is not read into memory. */
const BYTES_MAX = 16_384

/**
 * Returns `env` with the secrets in the files that its `…_FILE` variables name. Throws
 * `ConfigInvalid`, which names the variable but never the content of the file.
 */
export function withSecretFiles(env: Environment, names: readonly string[] = SECRETS): Environment {
  const read = names.flatMap((name) => {
    const path = env[`${name}_FILE`]
    return path ? [[name, readSecret(env, name, path)] as const] : []
  })
  return read.length === 0 ? env : { ...env, ...Object.fromEntries(read) }
}

function readSecret(env: Environment, name: string, path: string): string {
  if (env[name]) throw new ConfigInvalid(`${name} and ${name}_FILE are both set: expected only one`)
  const rule = `${name}_FILE is a file that contains only the secret`
  const { mode, size, isFile } = readStats(path, rule)
  if (!isFile || size > BYTES_MAX) throw new ConfigInvalid(`${rule} (${path} is not)`)
  if (isOpenToOthers(mode))
    throw new ConfigInvalid(`${rule} and is unreadable to others: chmod o-rwx ${path}`)
  const text = tryRead(() => readFileSync(path, 'utf8'), `${rule} (${path} cannot be read)`).trim()
  if (text === '') throw new ConfigInvalid(`${rule} (${path} is empty)`)
  return text
}

function readStats(path: string, rule: string) {
  const stats = tryRead(() => statSync(path), `${rule} (${path} cannot be read)`)
  return { mode: stats.mode, size: stats.size, isFile: stats.isFile() }
}

function tryRead<T>(read: () => T, words: string): T {
  try {
    return read()
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    throw new ConfigInvalid(`${words}${code === '' ? '' : `: ${code}`}`)
  }
}
