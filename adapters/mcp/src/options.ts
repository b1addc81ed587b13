// Parses and validates the arguments and the environment of the program.
import { parseArgs } from 'node:util'
import type { ApiKey } from 'openvenue'
import type { Caps } from './spending-caps.ts'
import { StartError } from './tool-error.ts'

export const USAGE = `usage: openvenue-mcp [options]
A Model Context Protocol server for an openvenue venue, over stdin and stdout.

  --url URL        address of the venue (or OPENVENUE_URL); http://127.0.0.1:3000 by default
  --cancel         allow cancelling orders; the key may have the scopes read and cancel
  --submit         also allow submitting orders that you have signed; needs the scope trade
  --trade          also allow signing orders, with OPENVENUE_SIGNING_KEY and both caps
  --cap-order N    maximum value of an order, in quote units
  --cap-day N      maximum total value of all orders in 24 hours, in quote units
  --hmac           sign requests, so that the secret is not sent; for a key created with hmac
  --devnet N       trade without caps as account N of a devnet's mnemonic, with a new key

OPENVENUE_API_KEY, OPENVENUE_API_SECRET   to read an account; market data needs neither
OPENVENUE_SIGNING_KEY                     0x and 64 hex digits, only with --trade
`

/** Levels of the program; each includes the previous ones. */
const POWERS = ['read', 'cancel', 'submit', 'trade'] as const
export type Power = (typeof POWERS)[number]

export type ServerOptions = Readonly<{
  url: string
  power: Power
  apiKey?: ApiKey
  /** Set at level `trade` only. */
  signingKey?: `0x${string}`
  /** Set at level `trade`, except on a devnet. */
  caps?: Caps
  /** Index of the devnet mnemonic's account to trade as. */
  devnetAccount?: number
}>

type Environment = Readonly<Record<string, string | undefined>>

const ARGUMENTS = {
  url: { type: 'string' },
  cancel: { type: 'boolean' },
  submit: { type: 'boolean' },
  trade: { type: 'boolean' },
  'cap-order': { type: 'string' },
  'cap-day': { type: 'string' },
  hmac: { type: 'boolean' },
  devnet: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Returns the options; undefined if only the usage is requested. */
export function readOptions(args: readonly string[], env: Environment): ServerOptions | undefined {
  const values = parse(args)
  if (values.help === true) return undefined
  const url = readUrl(values.url ?? env.OPENVENUE_URL ?? 'http://127.0.0.1:3000')
  const power = POWERS.findLast((option) => option === 'read' || values[option] === true) ?? 'read'
  if (values.devnet !== undefined) return { url, ...readDevnet(values, env) }
  const apiKey = readApiKey(values, env)
  if (power !== 'read' && apiKey === undefined)
    throw new StartError(`--${power} needs OPENVENUE_API_KEY and OPENVENUE_API_SECRET`)
  const shared = { url, power, ...(apiKey === undefined ? {} : { apiKey }) }
  return { ...shared, ...readTrading(power, values, env) }
}

type FlagValues = ReturnType<typeof parse>

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: ARGUMENTS }).values
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new StartError(`--url: got ${text}, expected http://… or https://…`)
  // It would appear in messages that a model reads.
  if (url.username !== '' || url.password !== '')
    throw new StartError('--url: expected a URL without user name and password')
  return url.href.replace(/\/+$/, '')
}

function readApiKey({ hmac: signs = false }: FlagValues, env: Environment): ApiKey | undefined {
  const { OPENVENUE_API_KEY: key, OPENVENUE_API_SECRET: secret } = env
  if (!key && !secret) return undefined
  if (!key || !secret)
    throw new StartError('OPENVENUE_API_KEY and OPENVENUE_API_SECRET must both be set')
  return { key, secret, ...(signs ? { signs } : {}) }
}

const SIGNING_KEY = /^0x[0-9a-fA-F]{64}$/

function readTrading(power: Power, values: FlagValues, env: Environment) {
  const signingKey = env.OPENVENUE_SIGNING_KEY || undefined
  const { 'cap-order': order, 'cap-day': day } = values
  if (power !== 'trade') {
    if (signingKey !== undefined)
      throw new StartError('OPENVENUE_SIGNING_KEY is only used with --trade: unset it')
    if (order !== undefined || day !== undefined)
      throw new StartError('--cap-order and --cap-day require --trade')
    return {}
  }
  if (signingKey === undefined || !SIGNING_KEY.test(signingKey))
    throw new StartError('--trade needs OPENVENUE_SIGNING_KEY: 0x and 64 hex digits')
  if (order === undefined || day === undefined)
    throw new StartError('--trade needs --cap-order and --cap-day')
  return {
    signingKey: signingKey as `0x${string}`,
    caps: { order: readCap('--cap-order', order), day: readCap('--cap-day', day) },
  }
}

function readCap(option: string, text: string): string {
  if (!/^\d{1,15}(\.\d{1,18})?$/.test(text))
    throw new StartError(`${option}: got ${text}, expected a decimal number in quote units`)
  return text
}

const DEVNET_ACCOUNT = /^\d{1,3}$/

/** Nothing on a devnet has value: no caps and no user keys. */
function readDevnet(values: FlagValues, env: Environment) {
  const { devnet = '', ...others } = values
  const besides = Object.keys(others).filter((name) => name !== 'url')
  if (besides.length > 0) throw new StartError(`--devnet excludes --${besides.join(', --')}`)
  if (env.OPENVENUE_SIGNING_KEY || env.OPENVENUE_API_KEY)
    throw new StartError('--devnet excludes keys: unset them in the environment')
  if (!DEVNET_ACCOUNT.test(devnet))
    throw new StartError(`--devnet: got ${devnet}, expected an account number`)
  return { power: 'trade', devnetAccount: Number(devnet) } as const
}
