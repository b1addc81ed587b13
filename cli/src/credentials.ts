// Stores the secrets of a network in a file that only its owner can read; the environment takes
// precedence. Secrets are never arguments, which every user of the machine could see.
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Address, Contracts, Hex } from 'openvenue/signing'
import { isAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { CredentialError } from './exit-codes.ts'
import type { Environment } from './host.ts'

const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700
/** Permissions of group and others. */
const OTHERS_MASK = 0o077

/** Content of a network's file: secrets, and the facts pinned when they were created. */
export type Credentials = Readonly<{
  /** Address of the account. */
  account?: Address
  api_key?: string
  api_secret?: string
  /** True: the secret signs requests and is never sent. */
  api_key_signs?: boolean
  /** Private key that signs orders. */
  signing_key?: Hex
  /** Private key of the wallet; safer in the environment. */
  wallet_key?: Hex
  /** URL of the API. */
  url?: string
  /** URL of a chain node. */
  rpc?: string
  /** Pinned chain and contracts: nothing is signed for any other. */
  chain_id?: number
  contracts?: Contracts
}>

/** Environment variables, which take precedence over the file. */
const VARIABLES = [
  ['OPENVENUE_ACCOUNT', 'account'],
  ['OPENVENUE_API_KEY', 'api_key'],
  ['OPENVENUE_API_SECRET', 'api_secret'],
  ['OPENVENUE_SIGNING_KEY', 'signing_key'],
  ['OPENVENUE_WALLET_KEY', 'wallet_key'],
] as const satisfies readonly (readonly [string, keyof Credentials])[]

const SHAPES: Readonly<Partial<Record<keyof Credentials, (text: string) => boolean>>> = {
  account: (text) => isAddress(text),
  signing_key: isPrivateKey,
  wallet_key: isPrivateKey,
}
const NETWORK_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i

/** Returns the path of a network's file. */
export function credentialsPath(env: Environment, homeDir: string, network: string): string {
  if (!NETWORK_NAME.test(network))
    throw new CredentialError(`network: got ${network}, expected letters, digits, dots and dashes`)
  const config = env.XDG_CONFIG_HOME || join(homeDir, '.config')
  return join(config, 'openvenue', `${network}.json`)
}

/** Returns the credentials of the environment. Errors for invalid values do not show them. */
export function environmentCredentials(env: Environment): Credentials {
  const given = VARIABLES.filter(([variable]) => (env[variable] ?? '') !== '')
  for (const [variable, name] of given)
    if (SHAPES[name]?.(env[variable] ?? '') === false)
      throw new CredentialError(`${variable}: expected ${shapeText(name)}`)
  return Object.fromEntries(given.map(([variable, name]) => [name, env[variable]]))
}

/**
 * Returns the content of the file; undefined if it does not exist. Throws a {@link CredentialError}
 * if group or others can read it.
 */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  const text = await readPrivate(path)
  if (text === undefined) return undefined
  return parseCredentials(path, text)
}

/** Returns the mode of the file; undefined if it does not exist. */
export async function modeOf(path: string): Promise<number | undefined> {
  const file = await openFile(path)
  if (file === undefined) return undefined
  try {
    return (await file.stat()).mode & 0o777
  } finally {
    await file.close()
  }
}

/** Returns whether group or others have any permission. */
export const isOpenToOthers = (mode: number): boolean => (mode & OTHERS_MASK) !== 0

/** Writes the file atomically and readable only by its owner. */
export async function writeCredentials(path: string, credentials: Credentials): Promise<void> {
  const directory = dirname(path)
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE })
  const aside = join(directory, `.${randomUUID()}`)
  try {
    const file = await open(aside, 'wx', FILE_MODE)
    try {
      await file.writeFile(`${JSON.stringify(credentials, undefined, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // The umask may have removed bits from the mode above.
    await chmod(aside, FILE_MODE)
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** Checks the mode of the opened file, which cannot be swapped in between. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await openFile(path)
  if (file === undefined) return undefined
  try {
    const mode = (await file.stat()).mode & 0o777
    if (isOpenToOthers(mode) && process.platform !== 'win32')
      throw new CredentialError(
        `${path} can be read by others (mode ${mode.toString(8)}): chmod 600 '${path}'`,
      )
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function openFile(path: string) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CredentialError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function parseCredentials(path: string, text: string): Credentials {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    // The parser's message would show a part of the secrets.
    throw new CredentialError(`${path} is not JSON`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new CredentialError(`${path} is not a JSON object`)
  const credentials = content as Record<string, unknown>
  for (const [name, fits] of Object.entries(SHAPES)) {
    const value = credentials[name]
    if (value !== undefined && !(typeof value === 'string' && fits(value)))
      throw new CredentialError(`${name} in ${path}: expected ${shapeText(name)}`)
  }
  return credentials
}

const shapeText = (name: string): string =>
  name === 'account'
    ? '0x and 40 hex digits, in lower case or with a valid checksum'
    : '0x and 64 hex digits'

/** 0 and numbers from the curve's order on are not private keys. */
function isPrivateKey(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false
  try {
    return privateKeyToAddress(text as Hex) !== undefined
  } catch {
    return false
  }
}
