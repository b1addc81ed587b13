// Traces requests that place or cancel orders, as part of the trace that `traceparent` names.
import { NO_TRACER, type Span, type Tracer } from '@openvenue/runtime/tracing'
import type { FastifyRequest } from 'fastify'
import type { Host } from './host-type.ts'

const spans = new WeakMap<object, Span>()

/** Adds hooks that report a span per request. Without a tracer there are none. */
export function traceRequests(host: Host, tracer: Tracer): void {
  if (tracer === NO_TRACER) return
  host.addHook('onRequest', (request, _reply, done) => {
    const { config, url } = request.routeOptions
    if (config.scope === 'trade' || config.scope === 'cancel') {
      const name = `${request.method} ${url}`
      const parent = traceparentOf(request)
      spans.set(request, tracer.start(name, { kind: 'server', parent }))
    }
    done()
  })
  host.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    spans.get(request)?.end({
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'http.response.status_code': statusCode,
        'openvenue.request_id': request.id,
      },
      error: statusCode >= 500 ? `status ${statusCode}` : undefined,
    })
    done()
  })
}

/** Returns the span of a request, else the header `traceparent`, not validated. */
export function traceparentOf(
  request: Partial<Pick<FastifyRequest, 'headers'>>,
): string | undefined {
  const traceparent = request.headers?.traceparent
  return (
    spans.get(request)?.traceparent ?? (typeof traceparent === 'string' ? traceparent : undefined)
  )
}
