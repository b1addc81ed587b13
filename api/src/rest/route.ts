// What every group of routes gets, and how it answers.

import type { Header } from '@openvenue/core/events'
import type { Reader } from '@openvenue/store/store'
import type { TSchema } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountDeps } from '../account/deps.ts'
import type { Overviews } from '../account/overview.ts'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Wallets } from '../account/wallets.ts'
import { type Host, JSON_TYPE, type Source } from '../http/host-type.ts'
import { weightOf } from '../http/limits.ts'
import { Refusal } from '../http/refusals.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { KeyChecks } from '../identity/key-checks.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { Freshness } from '../node/freshness.ts'
import type { Probes } from '../node/probes.ts'

/** Passed in so that tests own time. */
export type Clock = Readonly<{
  /** Milliseconds since 1970: for what is shown, and compared with times of the chain or others. */
  nowMs: () => number
  /**
   * Milliseconds since whenever, which nobody sets back or forward: for intervals, ages and limits.
   */
  monotonicMs: () => number
}>

export type RestOptions = Readonly<{
  /** Name of the network, as `/health` and `/version` give it. */
  environment: string
  version: string
  marketsCacheMs: number
  readyCacheMs: number
}>

declare module 'fastify' {
  interface FastifyInstance {
    responseCache: ResponseCache
    freshness: Freshness
  }
}

export type RestDeps = Readonly<{
  model: VenueModel
  reader: Reader
  clock: Clock
  probes: Probes
  options: RestOptions
  accounts: AccountDeps
  keys: KeyChecks
  wallets: Wallets
  /** Reads of the database, none older than what this node has told. */
  fresh: FreshReads
  freshness: Freshness
  owned: OwnedReads
  /** Account objects, read once for everybody who asks. */
  overviews: Overviews
}>

/** A group of routes. */
export type Routes = (host: Host, deps: RestDeps) => void

/** Answers from memory now, and remembers how for the next request of the same URL. */
export function answer(request: FastifyRequest, reply: FastifyReply, source: Source): FastifyReply {
  const { url } = request.raw
  if (request.method === 'GET' && url !== undefined)
    request.server.responseCache.remember(url, {
      source,
      route: request.routeOptions.url ?? url,
      weight: weightOf(request),
      isLive: request.routeOptions.config.isLive === true,
    })
  // Read before its head and age are asked for.
  const body = source.read()
  return answerOnce(reply, body, source.head?.(), source.currentMs?.())
}

/**
 * Answers with `body` as JSON; `head` is the block whose data it is, if it is chain data, which was
 * the newest there was at `currentMs`, by default where the node stands.
 */
export function answerOnce(
  reply: FastifyReply,
  body: Buffer,
  head?: Header,
  currentMs?: number,
): FastifyReply {
  if (head !== undefined)
    reply
      .header('x-block-number', head.number)
      .header('x-block-hash', head.hash)
      .header('x-data-age-ms', reply.server.freshness.ageMs(currentMs))
  return reply.type(JSON_TYPE).send(body)
}

/** Groups of the documentation, in its order. */
export const TAGS = {
  service: ['Service'],
  markets: ['Markets'],
  book: ['Order book'],
  trades: ['Trades'],
  statistics: ['Statistics'],
  funding: ['Funding'],
  index: ['Index prices and assets'],
  candles: ['Candles'],
  charting: ['Charting'],
  account: ['Account'],
  notifications: ['Notifications'],
  registration: ['Registration and keys'],
} as const satisfies Record<string, string[]>

/** Returns the answers of a route: `body`, or the one error body. */
export const answers = <T extends TSchema>(body: T) =>
  ({ 200: body, '4xx': PROBLEM, '5xx': PROBLEM }) as const

/** Of a route whose answer misleads when it is old. */
export const LIVE = { isLive: true } as const

/** The one error body, by reference, so that the description holds it once. */
export const PROBLEM = { $ref: 'Problem#' }

/** Returns the refusal of a market that is not there. `nearest` has the name in another case. */
export function instrumentNotFound(field: string, nearest?: string): Refusal {
  const code = 'INSTRUMENT_NOT_FOUND'
  const message = `${field} is the name or the id of a market: see /markets`
  const near = nearest === undefined ? {} : { nearest }
  return new Refusal(code, { details: [{ field, code, message, ...near }] })
}

/** Returns the market of that exact name or id, which `field` gave, or refuses with 404. Section 4.2. */
export function marketOr404(model: VenueModel, field: string, nameOrId: string): LiveMarket {
  const live = model.market(nameOrId)
  if (live === undefined) throw instrumentNotFound(field, inAnyCase(model, nameOrId))
  return live
}

function inAnyCase(model: VenueModel, nameOrId: string): string | undefined {
  const asked = nameOrId.toUpperCase()
  for (const { market } of model.markets) {
    if (market.name.toUpperCase() === asked) return market.name
    if (market.id.toUpperCase() === asked) return market.id
  }
  return undefined
}
