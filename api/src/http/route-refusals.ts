// Lists the codes by which a route can refuse: those that follow from what it is, and its own.

import type { Scope } from '@openvenue/core/scopes'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { isOfAccount } from './limits.ts'
import type { RefusalCode } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes by which it refuses besides those that follow from what it is. */
    refuses?: readonly RefusalCode[]
    /** Other refusals than `refuses` are answered with 200, where charts look for them. */
    isChart?: boolean
    /**
     * What a key must be for, on routes that need one: by default `read` to GET, else `trade`.
     * `any`: every key may ask, and the route looks itself.
     */
    scope?: Scope | 'any'
    /** Its answers show no block of the chain. */
    isOffChain?: boolean
    /** Its answers say when they were made, so that nobody keeps them. */
    isTimed?: boolean
  }
}

export type RouteFacts = Readonly<{
  method: string | readonly string[]
  /** As the framework writes it: `/orders/:order_id`. */
  url: string
  schema?: FastifySchema | undefined
  config?: FastifyContextConfig | undefined
}>

type Codes = readonly RefusalCode[]

/** Whether a client that has kept an answer can ask if it is still the same. */
export const isKept = ({ method, config = {} }: Pick<RouteFacts, 'method' | 'config'>): boolean =>
  method === 'GET' &&
  !isOfAccount(config.bucket) &&
  config.isUnlimited !== true &&
  config.isTimed !== true

const OF_PATHS: Codes = ['MALFORMED_URL', 'MISSING_PARAMETER', 'URL_TOO_LONG']
const OF_BODIES: Codes = [
  'INVALID_PARAMETER',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]
const OF_KEYS: Codes = [
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'AUTH_TIMESTAMP_INVALID',
  'SCOPE_MISSING',
  'IP_NOT_ALLOWED',
  'AUTH_UNAVAILABLE',
]
/** A word in place of an address may be the path of another method. */
const OF_ADDRESSES: Codes = ['MALFORMED_ADDRESS', 'FORBIDDEN_ACCOUNT', 'METHOD_NOT_ALLOWED']
const ALWAYS: Codes = ['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']

/** Returns every code by which a route can refuse, each once. */
export function routeRefusals({ method, url, schema, config = {} }: RouteFacts): Codes {
  const { refuses = [], isUnlimited, isChart, isLive, scope } = config
  // Whatever is asked, probes are answered.
  if (isUnlimited === true) return refuses
  const query = schema?.querystring as Query | undefined
  if (isChart === true) return [...refuses, ...blockRefusals(query), ...ALWAYS]
  const codes: readonly (Codes | false)[] = [
    url.includes('/:') && OF_PATHS,
    queryRefusals(query),
    method !== 'GET' && OF_BODIES,
    scope !== undefined && OF_KEYS,
    scope !== undefined && method !== 'GET' && ['AUTH_REPLAYED'],
    url.includes('/:address') && OF_ADDRESSES,
    isLive === true && ['DATA_STALE'],
    refuses,
    ALWAYS,
  ]
  return [...new Set(codes.flatMap((some) => (some === false ? [] : some)))]
}

type Query = Readonly<{
  properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  required?: readonly string[]
}>

function queryRefusals({ properties = {}, required = [] }: Query = {}): Codes {
  const checked = Object.values(properties).filter((field) => field['x-ignored'] !== true)
  return [
    ...(checked.length > 0 ? (['INVALID_PARAMETER'] as const) : []),
    ...(required.length > 0 ? (['MISSING_PARAMETER'] as const) : []),
    ...('cursor' in properties ? (['INVALID_CURSOR'] as const) : []),
    ...blockRefusals({ properties }),
  ]
}

const blockRefusals = ({ properties = {} }: Query = {}): Codes =>
  'min_block' in properties ? ['BLOCK_NOT_REACHED'] : []
