// The type of a host, and of the sources that answer URLs from memory.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Header } from '@openvenue/core/events'
import type { Static, TSchema } from '@openvenue/wire/field'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import type { Encoder } from './encoder.ts'

/** The types of a request follow from the schema of its route. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: unknown
}

export type Host = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>

/** The age of a node's data, as shown in answers. */
export type DataAge = Readonly<{
  /** True when the node is too many blocks behind, so that its data misleads. */
  isBehind: boolean
  /** Returns milliseconds since the data was current, or since `currentMs`. */
  ageMs: (currentMs?: number) => number
}>

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the node begins to stop: balancers should send it no new clients then. */
    stopping: AbortController
    /** Headers that allow a page of that origin to read an answer: alternating names and values. */
    originHeaders: (origin: string | undefined) => readonly string[]
    /** Compresses what this host answers. */
    encoder: Encoder
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * Answers one URL from memory. It may be used for the same URL without routing or validation, until
 * the list of markets changes.
 */
export type BodySource = Readonly<{
  /** Cached data is read again when it is of an older block than `minBlock`. */
  read: (minBlock?: number) => Buffer
  /** The block of the data; absent when the answer is not chain data. */
  head?: () => Header | undefined
  /** The time at which the body was current, if not now: see `Freshness.currentMs`. */
  currentMs?: () => number
  /** The body contains its time, so no two are the same and it cannot be cached. */
  isTimed?: boolean
  /** Seconds for which any cache may keep the body, if it need not be revalidated each time. */
  maxAgeSeconds?: () => number
  /** For a timed body: all of it except the end, the only part that moves with the clock. */
  stable?: () => Buffer
}>
