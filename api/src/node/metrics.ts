// Prometheus metrics of an API node.
import type { Broadcast } from '@openvenue/store/broadcast/broadcast'
import { broadcastMetrics } from '@openvenue/store/broadcast/metrics'
import type { Cache } from '@openvenue/store/db/cache'
import type { Db } from '@openvenue/store/db/db'
import type { Standby } from '@openvenue/store/db/standbys'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Host } from '../http/host-type.ts'
import { readCounter } from '../http/read-counter.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { RouteMeter } from '../http/route-meter.ts'
import type { Clock } from '../model/clock.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { asked } from '../rest/readiness.ts'

/** Metrics in the text format of Prometheus. */
export type Metrics = Readonly<{ metrics: () => Promise<string> }>

type SharedServers = Readonly<{
  db: Pick<Db, 'pools'>
  cache: Pick<Cache, 'isFallback'>
  /** Reads the standbys of the database; absent: none is reported. */
  standbys?: () => Promise<readonly Standby[]>
  broadcast?: Broadcast | undefined
}>

/**
 * Starts to measure this process, its database and its cache: memory, processor, event loop,
 * garbage, and what `sharedMetrics` has. Call it once.
 */
export function processMetrics(parts: SharedServers): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return joinMetrics([registry, sharedMetrics(parts)])
}

/** Returns metrics of the database and NATS, and whether rate limits are counted without Redis. */
export function sharedMetrics({ db, cache, standbys, broadcast }: SharedServers): Metrics {
  const registry = new Registry()
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `openvenue_api_${name}`, help, labelNames, registers: [registry] })
  const connections = gauge('pool_connections', 'Connections to PostgreSQL', ['pool', 'state'])
  const waiting = gauge('pool_waiting', 'Calls that wait for a connection', ['pool'])
  const fallback = gauge('redis_fallback', '1 while this process counts rates without Redis', [])
  const states = gauge('standbys', 'Standbys of PostgreSQL by state', ['state'])
  const lags = gauge('standby_lag_bytes', 'Log that a standby has not replayed', ['standby'])
  const lastStandbys = standbys && lastAnswer(standbys)
  return {
    metrics: async () => {
      setStandbys({ states, lags }, lastStandbys?.() ?? [])
      for (const { pool, open, idle, waiting: calls } of db.pools?.() ?? []) {
        connections.set({ pool, state: 'idle' }, idle)
        connections.set({ pool, state: 'used' }, open - idle)
        waiting.set({ pool }, calls)
      }
      fallback.set(cache.isFallback() ? 1 : 0)
      return `${await registry.metrics()}${broadcastMetrics(broadcast)}`
    },
  }
}

type StandbyGauges = Readonly<{ states: Gauge<'state'>; lags: Gauge<'standby'> }>

/** Sets the gauges; a standby without a lag is one that the role may not read. */
function setStandbys({ states, lags }: StandbyGauges, standbys: readonly Standby[]): void {
  for (const gauge of [states, lags]) gauge.reset()
  states.set({ state: 'streaming' }, 0)
  for (const { name, state = 'unknown', lagBytes } of standbys) {
    states.inc({ state })
    if (lagBytes !== undefined) lags.set({ standby: name }, lagBytes)
  }
}

/** Returns the metrics of all `parts`. */
export const joinMetrics = (parts: readonly Metrics[]): Metrics => ({
  metrics: async () => {
    const texts = await Promise.all(parts.map((part) => part.metrics()))
    // A text without a final newline would join the next one's first line.
    return texts.map((text) => text.replace(/\n*$/, '\n')).join('')
  },
})

type MetricsSources = Readonly<{
  model: VenueModel
  responseCache: ResponseCache
  meter: RouteMeter
  /** Metrics of parts of the host. */
  further?: readonly Metrics[]
  clock: Clock
  freshness: Freshness
  ofProcess: Metrics | undefined
  /** The feed entry of history reads: the replica's, if there is one. */
  replicaSeq?: () => Promise<number>
  /** The newest feed entry of the primary. */
  primarySeq?: () => Promise<number>
  /** Cache time of the text, ms, since requests for it are not limited. */
  cacheMs: number
}>

/** Counts the answers of `host` and the model's progress. Serves them at /metrics. */
export function serveMetrics(host: Host, metered: MetricsSources): void {
  const { model, responseCache, meter, further = [], clock, freshness, cacheMs } = metered
  host.addHook('onResponse', (request, reply, done) => {
    meter.of(request.routeOptions.url ?? 'none', reply.statusCode).add(reply.elapsedTime)
    done()
  })
  const registry = new Registry()
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `openvenue_api_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  const counter = (name: string, help: string, read: () => number) =>
    readCounter({ name: `openvenue_api_${name}_total`, help, registers: [registry] }, read)
  counter('cached_answers', 'Answers given from memory without routing', () => responseCache.hits)
  gauge('head_block', 'Block of the data', () => model.head?.number ?? 0)
  gauge('head_age_seconds', 'Age of that block', () =>
    model.head === undefined ? 0 : clock.nowMs() / 1000 - model.head.seconds,
  )
  gauge('data_age_seconds', 'Time since the data was current', () => freshness.ageMs() / 1000)
  gauge('lag_blocks', 'Blocks of the chain that the data lacks', () => freshness.lag ?? 0)
  const broke = 'Times that the feed did not continue from the head'
  counter('feed_breaks', broke, () => model.feedBreaks)
  counter('compressed_bytes', 'Bytes that were compressed, once a change', () => host.encoder.bytes)
  const spent = 'Bodies sent raw, since the budget of the second was spent'
  counter('uncompressed_bodies', spent, () => host.encoder.refused)
  gauge('feed_seq', 'Feed entry last applied', () => model.seq)
  const { replicaSeq, primarySeq } = metered
  if (replicaSeq !== undefined)
    gauge('replica_lag_blocks', 'Blocks that history lacks', replicaLag(model, replicaSeq))
  if (primarySeq !== undefined) {
    // Compared when the database answers, since the model goes on until the next scrape.
    const lag = lastAnswer(async () => Math.max(0, (await primarySeq()) - model.seq))
    gauge('feed_lag_entries', 'Feed entries that the model lacks', () => lag() ?? 0)
  }
  const gather = asked(
    async () => {
      const parts = [registry, ...further, ...[metered.ofProcess ?? []].flat()]
      return `${meter.text()}${await joinMetrics(parts).metrics()}`
    },
    cacheMs,
    clock.monotonicMs,
  )
  const options = { config: { isUnlimited: true }, schema: { hide: true } }
  host.get('/metrics', options, async (_request, reply) =>
    reply.type(registry.contentType).send(await gather()),
  )
}

/** Returns how far the replica is behind the model. The lag of a silent one keeps rising. */
function replicaLag(model: VenueModel, readSeq: () => Promise<number>): () => number {
  const newest = lastAnswer(readSeq)
  let firstSeq: number | undefined
  return () => {
    firstSeq ??= model.seq
    return Math.max(0, model.seq - (newest() ?? firstSeq))
  }
}

/**
 * Returns a function that returns the last answer of `read` and starts a new query: a request for
 * metrics does not wait for the database.
 */
function lastAnswer<T>(read: () => Promise<T>): () => T | undefined {
  let answer: T | undefined
  let isAsking = false
  const ask = async () => {
    isAsking = true
    answer = await read().catch(() => answer)
    isAsking = false
  }
  return () => {
    if (!isAsking) void ask()
    return answer
  }
}
