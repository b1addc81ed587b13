// Checks the keys, limits and canceller of the account.
import type { Rest, shapes } from 'openvenue'
import { privateKeyToAccount } from 'viem/accounts'
import { timeText } from '../../columns.ts'
import type { Session } from '../../session.ts'
import { type Finding, fail, look, ok, warn } from './finding.ts'

const NS_PER_MS = 1_000_000n
const DAY_MS = 24 * 3600 * 1000
const MAKE_KEYS = 'openvenue keys new'
const SCOPES = ['read', 'trade', 'cancel']
/** Remaining share of a limit below which a warning is shown. */
const LOW_PERCENT = 10

export async function accountChecks(session: Session): Promise<Finding[]> {
  const { api_key, account } = await session.credentials()
  if (api_key === undefined) return [warn('api key', 'none', MAKE_KEYS)]
  const rest = await session.rest()
  let keys: shapes.ApiKeys | undefined
  const key = await look('api key', `${MAKE_KEYS} --force`, async () => {
    keys = await rest.call('GET /api-keys')
    return apiKey(keys)
  })
  if (keys === undefined) return [key]
  const { api_keys } = keys
  return [
    key,
    await look('signing key', MAKE_KEYS, () => signingKey(session, api_keys)),
    await look('limits', 'wait or place fewer orders', () => limits(rest)),
    await look('canceller', 'openvenue keys allow', () => canceller(rest)),
    ok('account', `${account}`),
  ]
}

function apiKey({ api_keys }: shapes.ApiKeys): Finding {
  const current = api_keys.find(({ is_current }) => is_current)
  if (current === undefined) return fail('api key', 'not among the keys of the account', MAKE_KEYS)
  const { prefix, scopes, expires_timestamp } = current
  const untilMs = Number(BigInt(expires_timestamp) / NS_PER_MS)
  const facts = `${prefix}…: ${scopes.join(' ')}, until ${timeText(untilMs)}`
  if (untilMs - Date.now() < DAY_MS)
    return warn('api key', facts, `expires within a day: ${MAKE_KEYS} --force`)
  const missing = SCOPES.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (missing.length > 0) return warn('api key', facts, `missing scopes: ${missing.join(', ')}`)
  return ok('api key', facts)
}

async function signingKey(session: Session, keys: readonly shapes.ApiKey[]): Promise<Finding> {
  const { signing_key } = await session.credentials()
  if (signing_key === undefined)
    return warn('signing key', 'none: orders cannot be signed', `${MAKE_KEYS} --force`)
  const { address } = privateKeyToAccount(signing_key)
  const isOfKey = keys.some((key) => key.signing_key === address.toLowerCase())
  if (!isOfKey) return warn('signing key', address, 'no API key of the account belongs to it')
  return ok('signing key', address)
}

async function limits(rest: Rest): Promise<Finding> {
  const { orders, cancels, live_orders, order_budget } = await rest.call('GET /limits')
  const left = [
    bucketText('orders', orders),
    bucketText('cancels', cancels),
    `${live_orders.used} of ${live_orders.limit} pending orders`,
    ...(order_budget === null ? [] : [`${order_budget.remaining} orders left in the budget`]),
  ].join('; ')
  const isLow =
    order_budget !== null && order_budget.remaining * 100 < order_budget.allowed * LOW_PERCENT
  return isLow ? warn('limits', left, 'trade or place fewer orders') : ok('limits', left)
}

const bucketText = (name: string, bucket: shapes.LimitBucket | null): string =>
  bucket === null
    ? `${name}: no limit`
    : `${bucket.remaining} of ${bucket.limit} ${name} left in ${bucket.window_seconds} s`

async function canceller(rest: Rest): Promise<Finding> {
  const { cancellers, venue_canceller } = await rest.call('GET /account/cancellers')
  if (venue_canceller === null) return warn('canceller', 'the venue has none', 'sign each cancel')
  const permission = cancellers.find(({ is_venue }) => is_venue)
  if (permission === undefined)
    return warn('canceller', 'not allowed: each cancel needs a signature', 'openvenue keys allow')
  const untilMs = Number(BigInt(permission.expires_timestamp) / NS_PER_MS)
  const facts = `allowed until ${timeText(untilMs)}`
  if (untilMs - Date.now() < DAY_MS) return warn('canceller', facts, 'openvenue keys allow')
  return ok('canceller', facts)
}
