// What an API node counts, for Prometheus.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { HotPath } from './hot-path.ts'
import type { VenueModel } from './model/venue-model.ts'
import type { App, Clock } from './rest/route.ts'

const SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

type Metered = Readonly<{ model: VenueModel; hot: HotPath; clock: Clock }>

/** Counts what `app` answers and how far the model is, in a registry of its own. */
export function meter(app: App, { model, hot, clock }: Metered): Registry {
  const registry = new Registry()
  const named = (name: string, help: string) => ({
    name: `openvenue_api_${name}`,
    help,
    registers: [registry],
  })
  const requests = new Counter({
    ...named('requests_total', 'Answers given through a route'),
    labelNames: ['route', 'status'],
  })
  const seconds = new Histogram({
    ...named('request_seconds', 'Time to an answer given through a route'),
    buckets: SECONDS_BUCKETS,
  })
  app.addHook('onResponse', (request, reply, done) => {
    requests.inc({ route: request.routeOptions.url ?? 'none', status: reply.statusCode })
    seconds.observe(reply.elapsedTime / 1000)
    done()
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...named(name, help),
      collect() {
        this.set(read())
      },
    })
  gauge('hot_answers', 'Answers given from memory without routing', () => hot.hits)
  gauge('head_block', 'Block of the data', () => model.head?.number ?? 0)
  gauge('head_age_seconds', 'Age of that block', () =>
    model.head === undefined ? 0 : clock.nowMs() / 1000 - model.head.seconds,
  )
  gauge('feed_seq', 'Feed entry last applied', () => model.seq)
  return registry
}
