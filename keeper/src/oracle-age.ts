// Exports the time of the newest index price of each asset that a perpetual market uses.
import { Gauge, type Registry } from 'prom-client'
import type { VenueView } from './venue-view.ts'

export function showOracleAge(
  registry: Registry,
  view: Pick<VenueView, 'state'>,
  perps: string,
): void {
  new Gauge({
    name: 'openvenue_keeper_index_price_seconds',
    help: 'Unix time of the newest index price of an asset; 0: none yet',
    labelNames: ['asset'] as const,
    registers: [registry],
    collect() {
      const { market, indexPrice } = view.state.records
      for (const { engine, asset } of market.values())
        if (engine === perps.toLowerCase()) this.set({ asset }, indexPrice.get(asset)?.seconds ?? 0)
    },
  })
}
