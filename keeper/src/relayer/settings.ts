// Parses the relayer's settings.
import { LANES_MAX } from '@openvenue/core/relay'
import {
  ConfigInvalid,
  type Environment,
  readChoice,
  readInteger,
} from '@openvenue/runtime/environment'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { FeeBounds } from '../fees.ts'

export type RelayerSettings = FeeBounds &
  Readonly<{
    /** Private keys: of the cancel lane, then one per order lane. Never logged. */
    keys: readonly Hex[]
    /** The relayer's share of a block's gas. */
    gasPerBlock: number
    /** LOG_REQUESTS: logs each step of an order; false by default. */
    logsOrders?: boolean
  }>

/** Half a second of a chain with 20 million gas per second. */
const GAS_PER_BLOCK = 10_000_000
const GAS_PER_BLOCK_MIN = 1_000_000
const GAS_PER_BLOCK_MAX = 1_000_000_000
/** The cancel lane and one order lane. */
const KEYS_MIN = 2

/**
 * Returns the settings; undefined when neither wallets are configured nor `ownKeys` given. Throws
 * `ConfigInvalid`, which names the variable and no key.
 */
export function parseRelayerSettings(
  env: Environment,
  bounds: FeeBounds,
  ownKeys: readonly Hex[] = [],
): RelayerSettings | undefined {
  const limits = { absent: GAS_PER_BLOCK, min: GAS_PER_BLOCK_MIN, max: GAS_PER_BLOCK_MAX }
  const gasPerBlock = readInteger(env, 'RELAY_GAS_PER_BLOCK', limits)
  const keys = env.RELAY_KEYS ? parseKeys(env.RELAY_KEYS) : ownKeys
  const logsOrders = readChoice(env, 'LOG_REQUESTS', ['off', 'on']) === 'on'
  return keys.length === 0 ? undefined : { keys, gasPerBlock, logsOrders, ...bounds }
}

function parseKeys(text: string): readonly Hex[] {
  const keys = text.split(',').map((key) => key.trim() as Hex)
  const addresses = new Set(keys.map(addressOf))
  const isWell = !addresses.has(undefined) && addresses.size === keys.length
  if (isWell && keys.length >= KEYS_MIN && keys.length <= LANES_MAX) return keys
  throw new ConfigInvalid(
    `RELAY_KEYS is invalid: expected ${KEYS_MIN} to ${LANES_MAX} distinct private keys (0x and 64 hex digits), separated by commas`,
  )
}

const KEY = /^0x[0-9a-fA-F]{64}$/

function addressOf(key: Hex): string | undefined {
  if (!KEY.test(key)) return undefined
  try {
    return privateKeyToAddress(key)
  } catch {
    // Not a key on the curve.
    return undefined
  }
}
