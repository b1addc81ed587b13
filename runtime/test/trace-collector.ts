// A collector of OTLP over HTTP for tests: it keeps the spans it receives, or never answers.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Attribute = Readonly<{
  key: string
  value: Readonly<{ stringValue?: string; doubleValue?: number }>
}>

export type CollectedSpan = Readonly<{
  service: string | undefined
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: readonly Attribute[]
  status?: Readonly<{ code: number; message: string }>
}>

type Body = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: Readonly<{ attributes: readonly Attribute[] }>
    scopeSpans: readonly Readonly<{ spans: readonly CollectedSpan[] }>[]
  }>[]
}>

export class TraceCollector {
  readonly spans: CollectedSpan[] = []
  /** Paths of all requests. */
  readonly paths: string[] = []
  /** `frozen`: no answer. */
  mode: 'well' | 'frozen' | 'refusing' = 'well'
  readonly #server: Server
  readonly #frozen: ServerResponse[] = []

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.paths.push(request.url ?? '')
      const body = (await request.toArray()).join('')
      if (this.mode === 'frozen') return void this.#frozen.push(response)
      if (this.mode === 'well') this.#take(JSON.parse(body))
      response.writeHead(this.mode === 'well' ? 200 : 503).end('{}')
    })
  }

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector()
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve))
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Answers again; requests without an answer are cut. */
  thaw(): void {
    this.mode = 'well'
    for (const response of this.#frozen.splice(0)) response.destroy()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take({ resourceSpans }: Body): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = attributeOf(resource, 'service.name')
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, service: String(service) })))
    }
  }
}

/** Returns the value of an attribute; undefined without it. */
export function attributeOf(
  { attributes }: Readonly<{ attributes: readonly Attribute[] }>,
  name: string,
): string | number | undefined {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.doubleValue
}
