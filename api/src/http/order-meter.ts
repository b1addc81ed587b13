// Counts accepted and refused orders, for Prometheus, and logs them with LOG_REQUESTS.
import type { OutageLog } from '@openvenue/runtime/outage'
import { Counter, Histogram, Registry } from 'prom-client'
import { Refusal, type RefusalCode } from './refusals.ts'

/** The request of an order; undefined over a socket, whose messages have no such id. */
type OrderSource = Readonly<{ reqId: string | undefined; account: string }>

type Monotonic = Readonly<{ monotonicMs: () => number }>

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export class OrderMeter {
  readonly #clock: Monotonic
  readonly #log: Pick<OutageLog, 'info'> | undefined
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

  /** `log` undefined: no order is logged. */
  constructor(clock: Monotonic, log?: Pick<OutageLog, 'info'> | undefined) {
    this.#clock = clock
    this.#log = log
  }

  /** Counts the outcomes of `orders` orders, which `place` decides. Rejects as `place` does. */
  async count<T extends Readonly<{ isReplay: boolean; intent: Readonly<{ id: string }> }>>(
    { orders, ...source }: OrderSource & Readonly<{ orders: number }>,
    place: () => Promise<readonly (T | Refusal)[]>,
  ): Promise<readonly (T | Refusal)[]> {
    const startMs = this.#clock.monotonicMs()
    const results = await this.refusing(place, source, orders)
    for (const result of results) {
      if (result instanceof Refusal) this.#refuse(result.code, source)
      else if (!result.isReplay) {
        this.#log?.info({ ...source, order: result.intent.id }, 'order accepted')
        this.#accepted.inc()
        this.#seconds.observe((this.#clock.monotonicMs() - startMs) / 1000)
      }
    }
    return results
  }

  /** Runs `work`, and counts `orders` refused orders if it rejects. */
  async refusing<T>(work: () => Promise<T>, source: OrderSource, orders = 1): Promise<T> {
    try {
      return await work()
    } catch (error) {
      for (let order = 0; order < orders; order++) this.#refuse(codeOf(error), source)
      throw error
    }
  }

  #refuse(code: RefusalCode, source: OrderSource): void {
    this.#log?.info({ ...source, code }, 'order refused')
    this.#refused.inc({ code })
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
