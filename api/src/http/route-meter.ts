// Number and duration of each route's answers, for Prometheus. Answers from memory take
// microseconds, so counting costs an addition or two and no allocation.

/** Upper bounds in seconds. */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const
const MS_PER_S = 1000

/** The answers of a route with one status. */
export class RouteCount {
  readonly route: string
  readonly status: number
  total = 0
  seconds = 0
  /** Answers that took at most each bound. */
  readonly within = new Float64Array(BUCKETS.length)

  constructor(route: string, status: number) {
    this.route = route
    this.status = status
  }

  add(ms: number): void {
    const seconds = ms / MS_PER_S
    this.total += 1
    this.seconds += seconds
    for (let i = BUCKETS.length - 1; i >= 0 && seconds <= (BUCKETS[i] ?? 0); i--)
      this.within[i] = (this.within[i] ?? 0) + 1
  }
}

export class RouteMeter {
  readonly #counts = new Map<string, RouteCount>()

  /** Returns the count of a route, as it is declared, and a status. */
  of(route: string, status: number): RouteCount {
    const key = `${status} ${route}`
    const existing = this.#counts.get(key)
    if (existing !== undefined) return existing
    const created = new RouteCount(route, status)
    this.#counts.set(key, created)
    return created
  }

  /** Returns all counts in the text format of Prometheus. */
  text(): string {
    const counts = [...this.#counts.values()]
    return [
      '# HELP openvenue_api_requests_total Answers given',
      '# TYPE openvenue_api_requests_total counter',
      ...counts.map((count) => `openvenue_api_requests_total{${labelText(count)}} ${count.total}`),
      '# HELP openvenue_api_request_seconds Time to an answer',
      '# TYPE openvenue_api_request_seconds histogram',
      ...counts.flatMap(histogramLines),
      '',
    ].join('\n')
  }
}

/** Routes are constants without characters that need escaping. */
const labelText = ({ route, status }: RouteCount) => `route="${route}",status="${status}"`

function histogramLines(count: RouteCount): string[] {
  const name = 'openvenue_api_request_seconds'
  const labels = labelText(count)
  return [
    ...BUCKETS.map((le, i) => `${name}_bucket{${labels},le="${le}"} ${count.within[i]}`),
    `${name}_bucket{${labels},le="+Inf"} ${count.total}`,
    `${name}_sum{${labels}} ${count.seconds}`,
    `${name}_count{${labels}} ${count.total}`,
  ]
}
