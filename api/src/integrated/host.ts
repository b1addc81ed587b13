// The second host: other assets to trade and pools to provide liquidity to. Interface 4.7.
import { createHost, type HostDeps } from '../http/host.ts'
import type { Host } from '../http/host-type.ts'
import { INTEGRATED_BUCKET, type RateOptions } from '../http/limits.ts'
import type { ChainHead } from '../http/min-block.ts'
import { chainHead } from '../model/chain-head.ts'
import { type Metrics, serveMetrics } from '../node/metrics.ts'
import { serveDocs } from '../rest/docs.ts'
import { serveHome } from '../rest/home.ts'
import { serviceRoutes } from '../rest/service.ts'
import { clobInfoRoutes } from './clob-info.ts'
import { clobPoolRoutes } from './clob-pools.ts'
import { integratedApiOptions } from './openapi.ts'
import { PoolBoard } from './pool-board.ts'
import { poolListRoutes } from './pool-lists.ts'
import type { IntegratedDeps, RouteParts, Routes } from './route.ts'

const ROUTES: readonly Routes<keyof RouteParts>[] = [
  serviceRoutes,
  poolListRoutes,
  clobPoolRoutes,
  clobInfoRoutes,
]

const HOME = {
  about: 'Pools beside the order books, and the order books as pools. This is the second host.',
  links: [
    ['/docs', 'Every endpoint, with its parameters and answers, to try'],
    ['/openapi.json', 'The same for programs: OpenAPI 3.1'],
    ['/api/markets/earn-markets', 'Pools to provide liquidity to'],
    ['/api/markets/new-markets', 'Recently created pools'],
    ['/api/clob/info', 'The order books'],
    ['/health', 'Liveness'],
    ['/ready', 'Readiness: cache store, chain and indexer'],
    ['/metrics', 'Metrics for Prometheus'],
  ],
} as const

export type IntegratedHostDeps = IntegratedDeps &
  Omit<HostDeps, 'rates'> &
  Readonly<{
    rates: Pick<RateOptions, 'consume' | 'publicRate' | 'proxyHops'>
    /** Without `delay`, requests do not wait for a block. */
    clock: Readonly<{ delay?: ChainHead['delay'] }>
    /** Further metrics of the process around this host. */
    processMetrics?: Metrics
  }>

/** Returns the second host, ready to listen or to be injected into. */
export async function createIntegratedHost(deps: IntegratedHostDeps): Promise<Host> {
  const { model, clock, options, freshness } = deps
  const rates = { ...deps.rates, publicBucket: INTEGRATED_BUCKET } as const
  const { host, responseCache, meter } = await createHost(
    { ...deps, rates },
    {
      openApi: integratedApiOptions(),
      freshness: deps.freshness,
      chain: chainHead(model, clock.delay),
    },
  )
  // The meaning of a URL depends on which markets and pools there are.
  const version = () => `${model.versions.listing} ${model.versions.poolListing}`
  let seen = version()
  const forget = () => {
    if (version() === seen) return
    seen = version()
    responseCache.clear()
  }
  model.onLoad(forget)
  model.onEntry(forget)
  serveMetrics(host, {
    model,
    responseCache,
    meter,
    clock,
    freshness,
    ofProcess: deps.processMetrics,
    cacheMs: options.readyCacheMs,
  })
  serveHome(host, deps, HOME)
  const board = new PoolBoard(deps)
  for (const routes of ROUTES) routes(host, { ...deps, board })
  serveDocs(host, 'integrated.html')
  return host
}
