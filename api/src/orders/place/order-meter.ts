// Counts accepted and refused orders, for Prometheus.
import { Counter, Histogram, Registry } from 'prom-client'
import { Refusal, type RefusalCode } from '../../http/refusals.ts'
import type { Clock } from '../../model/clock.ts'

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export class OrderMeter {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #registry = new Registry()
  readonly #accepted = new Counter({
    ...this.#named('orders_accepted_total', 'Orders accepted, without repeats of earlier ones'),
  })
  readonly #refused = new Counter({
    ...this.#named('orders_refused_total', 'Orders refused, by the code of the refusal'),
    labelNames: ['code'] as const,
  })
  readonly #seconds = new Histogram({
    ...this.#named('order_acceptance_seconds', 'Time until an order was accepted'),
    buckets: [...BUCKETS],
  })

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Counts the outcomes of `orders` orders, which `place` decides. Rejects as `place` does. */
  async count<T extends Readonly<{ isReplay: boolean }>>(
    orders: number,
    place: () => Promise<readonly (T | Refusal)[]>,
  ): Promise<readonly (T | Refusal)[]> {
    const startMs = this.#clock.monotonicMs()
    const results = await this.refusing(place, orders)
    for (const result of results) {
      if (result instanceof Refusal) this.#refused.inc({ code: result.code })
      else if (!result.isReplay) {
        this.#accepted.inc()
        this.#seconds.observe((this.#clock.monotonicMs() - startMs) / 1000)
      }
    }
    return results
  }

  /** Runs `work`, and counts `orders` refused orders if it rejects. */
  async refusing<T>(work: () => Promise<T>, orders = 1): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#refused.inc({ code: codeOf(error) }, orders)
      throw error
    }
  }

  metrics(): Promise<string> {
    return this.#registry.metrics()
  }

  #named(name: string, help: string) {
    return { name: `openvenue_api_${name}`, help, registers: [this.#registry] }
  }
}

const codeOf = (error: unknown): RefusalCode =>
  error instanceof Refusal ? error.code : 'INTERNAL_ERROR'
