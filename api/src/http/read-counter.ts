// A counter of Prometheus whose value is kept elsewhere.
import { Counter, type CounterConfiguration } from 'prom-client'

/** Registers a counter that takes its value from `read` whenever it is collected. */
export function readCounter(options: CounterConfiguration<never>, read: () => number): void {
  new Counter({
    ...options,
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
