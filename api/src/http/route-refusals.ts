// Lists the codes by which a route can refuse: those that follow from its kind, and its own.

import type { Scope } from '@openvenue/core/scopes'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { isWrite } from './edge.ts'
import { isOfAccount } from './limits.ts'
import type { RefusalCode } from './refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Further refusal codes, apart from those that follow from the kind of route. */
    refuses?: readonly RefusalCode[]
    /** Other refusals than `refuses` are answered with 200, where charts look for them. */
    isChart?: boolean
    /**
     * The scope that a key needs, on routes with keys: by default `read` for GET, else `trade`.
     * `any`: every key may send requests, and the route checks it.
     */
    scope?: Scope | 'any'
    /** True when its answers do not depend on a block. */
    isOffChain?: boolean
    /** True when its answers contain their time, so that they cannot be cached. */
    isTimed?: boolean
  }
}

export type RouteFacts = Readonly<{
  method: string | readonly string[]
  /** In the framework's form: `/orders/:order_id`. */
  url: string
  schema?: FastifySchema | undefined
  config?: FastifyContextConfig | undefined
}>

type Codes = readonly RefusalCode[]

/** Returns whether a client with a cached answer can revalidate it. */
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
  const { refuses = [], isUnlimited, isChart, isLive, isReadOnly, scope } = config
  const query = schema?.querystring as QuerySchema | undefined
  // Probes are always answered.
  if (isUnlimited === true) return [...refuses, ...queryRefusals(query)]
  if (isChart === true) return [...refuses, ...blockRefusals(query), ...ALWAYS]
  const codes: readonly (Codes | false)[] = [
    url.includes('/:') && OF_PATHS,
    queryRefusals(query),
    method !== 'GET' && OF_BODIES,
    isWrite(String(method), isReadOnly) && ['EDGE_NODE'],
    scope !== undefined && OF_KEYS,
    scope !== undefined && method !== 'GET' && ['AUTH_REPLAYED'],
    url.includes('/:address') && OF_ADDRESSES,
    isLive === true && ['DATA_STALE'],
    refuses,
    ALWAYS,
  ]
  return [...new Set(codes.flatMap((some) => (some === false ? [] : some)))]
}

type QuerySchema = Readonly<{
  properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  required?: readonly string[]
}>

function queryRefusals({ properties = {}, required = [] }: QuerySchema = {}): Codes {
  const checked = Object.values(properties).filter((field) => field['x-ignored'] !== true)
  return [
    ...(checked.length > 0 ? (['INVALID_PARAMETER'] as const) : []),
    ...(required.length > 0 ? (['MISSING_PARAMETER'] as const) : []),
    ...('cursor' in properties ? (['INVALID_CURSOR'] as const) : []),
    ...blockRefusals({ properties }),
  ]
}

const blockRefusals = ({ properties = {} }: QuerySchema = {}): Codes =>
  'min_block' in properties ? ['BLOCK_NOT_REACHED'] : []
