// The type of a host, and of what answers a URL from memory.
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

/** How old the data of a node is, as far as answers say it. */
export type DataAge = Readonly<{
  /** True when the data misleads: it lacks too many blocks. */
  isBehind: boolean
  /** Milliseconds since the data was the newest there was, or since `currentMs`. */
  ageMs: (currentMs?: number) => number
}>

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted as soon as the node begins to stop: no balancer should send it anybody new. */
    stopping: AbortController
    /** Headers that let a page of that origin read an answer, names and values in turn. */
    originHeaders: (origin: string | undefined) => readonly string[]
    /** Compresses what this host answers. */
    encoder: Encoder
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * Answers one URL from memory. It may be read again for the same URL without routing or
 * validation, until the list of markets changes.
 */
export type Source = Readonly<{
  /** What is kept for a time is read anew where it is of an older block than `minBlock`. */
  read: (minBlock?: number) => Buffer
  /** The block whose data it is; absent when the answer does not come from the chain. */
  head?: () => Header | undefined
  /** When the body was the newest there was, where that is not now: see `Freshness.currentMs`. */
  currentMs?: () => number
  /** The body says when it was made: no two are the same, so nobody may keep it. */
  isTimed?: boolean
  /** Of a timed body: all that was read last but the end, which alone moves with the clock. */
  stable?: () => Buffer
}>
