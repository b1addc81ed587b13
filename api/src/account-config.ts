// The environment of accounts, keys and sockets.
import { type Environment, invalid, oneOf, wholeOf } from '@openvenue/store/environment'
import { ACCOUNT_SETTINGS, type AccountSettings } from './account/settings.ts'

const CACHE_MS_MAX = 3_600_000
/** Longest life that can be set: a year. */
const KEY_TTL_S_MAX = 366 * 24 * 3600
const COUNT_MAX = 1_000_000
const BYTES_MAX = 1024 * 1024 * 1024

/** Returns the settings; throws `ConfigInvalid`, which names the variable. */
export function parseAccountSettings(env: Environment): AccountSettings {
  const { sockets, ...settings } = ACCOUNT_SETTINGS
  const whole = (name: string, absent: number, max: number) => wholeOf(env, name, { absent, max })
  const counted = (name: string, absent: number) => Math.max(1, whole(name, absent, COUNT_MAX))
  return {
    chainId: whole('CHAIN_ID', settings.chainId, Number.MAX_SAFE_INTEGER),
    domainName: env.TYPED_DATA_DOMAIN || settings.domainName,
    lens: addressOf(env, 'LENS_ADDRESS'),
    accountCacheMs: whole('ACCOUNT_CACHE_MS', settings.accountCacheMs, CACHE_MS_MAX),
    keyTtlMaxSeconds: whole('API_KEY_TTL_MAX_S', settings.keyTtlMaxSeconds, KEY_TTL_S_MAX),
    keysPerAccountMax: counted('API_KEYS_PER_ACCOUNT_MAX', settings.keysPerAccountMax),
    isInviteOnly: oneOf(env, 'INVITE_ONLY', ['false', 'true']) === 'true',
    headerBrands: brandsOf(env, 'LEGACY_HEADER_BRAND', settings.headerBrands),
    balancePointsMax: counted('BALANCE_HISTORY_POINTS_MAX', settings.balancePointsMax),
    snapshotIntervalSeconds: counted(
      'EQUITY_SNAPSHOT_INTERVAL_S',
      settings.snapshotIntervalSeconds,
    ),
    sockets: {
      ...sockets,
      authPerConnection: {
        ...sockets.authPerConnection,
        points: counted('WS_AUTH_PER_CONNECTION', sockets.authPerConnection.points),
      },
      authPerAddress: {
        ...sockets.authPerAddress,
        points: counted('WS_AUTH_PER_IP', sockets.authPerAddress.points),
      },
      bufferBytesMax: Math.max(1, whole('WS_BUFFER_MAX', sockets.bufferBytesMax, BYTES_MAX)),
      connectionsPerAddressMax: counted('WS_CONNECTIONS_PER_IP', sockets.connectionsPerAddressMax),
      subscriptionsMax: counted('WS_SUBSCRIPTIONS_MAX', sockets.subscriptionsMax),
      idleSeconds: counted('WS_IDLE_S', sockets.idleSeconds),
    },
  }
}

function addressOf(env: Environment, name: string): string | undefined {
  const text = env[name] || undefined
  if (text !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(text))
    throw invalid(name, 'an address, 0x and 40 hex digits', text)
  return text?.toLowerCase()
}

/** Words with commas between them. */
function brandsOf(env: Environment, name: string, absent: readonly string[]): readonly string[] {
  const text = env[name] || undefined
  if (text === undefined) return absent
  const words = text.split(',').map((word) => word.trim().toUpperCase())
  const wrong = words.find((word) => !/^[A-Z][A-Z0-9]*$/.test(word))
  if (wrong !== undefined) throw invalid(name, 'words of letters, with commas between', wrong)
  return words
}
