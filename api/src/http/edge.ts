// The role of a node that only reads: it refuses whatever would write, and names where to send it.
import type { Host } from './host-type.ts'
import { Refusal } from './refusals.ts'

/** Settings of an edge node. */
export type EdgeSettings = Readonly<{
  /** Public URL of nodes that accept orders. */
  fullUrl: string | undefined
}>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a request with a body that writes nothing. */
    isReadOnly?: boolean
  }
}

/** Returns the refusal of a request that writes. */
export const edgeRefusal = ({ fullUrl = 'a node that accepts orders' }: EdgeSettings): Refusal =>
  new Refusal('EDGE_NODE', {
    message: `This node is an edge and only reads: send it to ${fullUrl}`,
  })

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether a route may write. */
export const isWrite = (method: string, isReadOnly: boolean | undefined): boolean =>
  !READS.has(method) && isReadOnly !== true

/** Refuses requests that write; does nothing without `edge`. */
export function refuseWrites(host: Host, edge: EdgeSettings | undefined): void {
  if (edge === undefined) return
  host.addHook('onRequest', (request, _reply, done) => {
    const { is404, method, routeOptions } = request
    const isRefused = !is404 && isWrite(method, routeOptions.config.isReadOnly)
    done(isRefused ? edgeRefusal(edge) : undefined)
  })
}
