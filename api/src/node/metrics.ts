// Counts for Prometheus what an API node does.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Host } from '../http/host-type.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { RouteMeter } from '../http/route-meter.ts'
import type { Clock } from '../model/clock.ts'
import type { Freshness } from '../model/freshness.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { asked } from '../rest/readiness.ts'

/** Metrics in the text format of Prometheus. */
export type Metrics = Readonly<{ metrics: () => Promise<string> }>

/** Starts to watch this process: memory, processor, event loop, garbage. Once is enough. */
export function processMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

type Metered = Readonly<{
  model: VenueModel
  responseCache: ResponseCache
  meter: RouteMeter
  sockets?: Metrics
  clock: Clock
  freshness: Freshness
  ofProcess: Metrics | undefined
  /** The feed entry that reads of history are at: the replica's, where there is one. */
  replicaSeq?: () => Promise<number>
  /** How long the text is kept: nobody counts who asks for it. */
  cacheMs: number
}>

/** Counts what `host` answers and how far the model is. Serves it at /metrics. */
export function serveMetrics(host: Host, metered: Metered): void {
  const { model, responseCache, meter, sockets, clock, freshness, ofProcess, cacheMs } = metered
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
  gauge('cached_answers', 'Answers given from memory without routing', () => responseCache.hits)
  gauge('head_block', 'Block of the data', () => model.head?.number ?? 0)
  gauge('head_age_seconds', 'Age of that block', () =>
    model.head === undefined ? 0 : clock.nowMs() / 1000 - model.head.seconds,
  )
  gauge(
    'data_age_seconds',
    'Since the data was the newest there was',
    () => freshness.ageMs() / 1000,
  )
  gauge('lag_blocks', 'Blocks of the chain that the data lacks', () => freshness.lag ?? 0)
  gauge('feed_breaks', 'Times that the feed did not go on from the head', () => model.feedBreaks)
  gauge('compressed_bytes', 'Bytes that were compressed, once a change', () => host.encoder.bytes)
  const spent = 'Bodies sent as they are, since the budget of the second was spent'
  gauge('uncompressed_bodies', spent, () => host.encoder.refused)
  gauge('feed_seq', 'Feed entry last applied', () => model.seq)
  const { replicaSeq } = metered
  if (replicaSeq !== undefined)
    gauge('replica_lag_blocks', 'Blocks that history lacks', replicaLag(model, replicaSeq))
  const gather = asked(
    async () => {
      const own = [meter.text(), await registry.metrics(), (await sockets?.metrics()) ?? '']
      return [...own, (await ofProcess?.metrics()) ?? ''].join('')
    },
    cacheMs,
    clock.monotonicMs,
  )
  const options = { config: { isUnlimited: true }, schema: { hide: true } }
  host.get('/metrics', options, async (_request, reply) =>
    reply.type(registry.contentType).send(await gather()),
  )
}

/**
 * Returns what reads the lag as it was last heard of, and asks anew: whoever looks at metrics waits
 * for no database, and one that is silent lags more and more.
 */
function replicaLag(model: VenueModel, readSeq: () => Promise<number>): () => number {
  let heard: number | undefined
  let isAsking = false
  const ask = async () => {
    isAsking = true
    // One that fails is behind by all that has come since it answered.
    heard = await readSeq().catch(() => heard)
    isAsking = false
  }
  return () => {
    heard ??= model.seq
    if (!isAsking) void ask()
    return Math.max(0, model.seq - heard)
  }
}
