// Reads paginated lists.
import type { Endpoints } from '../../generated/endpoints.ts'
import type { Pagination } from '../../generated/shapes.ts'
import type { CallOptions, Rest } from './rest.ts'

/** The paginated answers of an endpoint. `/trade-history` returns funding in a single answer. */
type PageAnswer<E extends keyof Endpoints> = Extract<
  Endpoints[E]['answer'],
  Readonly<{ pagination: Pagination }>
>

/** Endpoints with paginated answers. */
export type PagedEndpoint = {
  [E in keyof Endpoints]: [PageAnswer<E>] extends [never] ? never : E
}[keyof Endpoints]

/** Path and query of each page's request. */
export type PageParts<E extends PagedEndpoint> = Readonly<{
  path?: Endpoints[E]['path']
  query?: Omit<Endpoints[E]['query'], 'cursor' | 'direction'>
}>

/**
 * Yields the pages of a list until its end, one request per page, without reading ahead. New rows
 * do not shift the pages. Throws what {@link Rest.call} throws; the pages before it are complete.
 *
 * @example
 * for await (const { orders } of pages(rest, 'GET /open-orders')) show(orders)
 */
export async function* pages<E extends PagedEndpoint>(
  rest: Rest,
  endpoint: E,
  parts: PageParts<E> = {},
  options: CallOptions = {},
): AsyncGenerator<PageAnswer<E>, void, void> {
  let cursor: string | null = null
  do {
    const query = cursor === null ? parts.query : { ...parts.query, cursor }
    const answer = (await rest.call(
      endpoint,
      { ...parts, query } as never,
      options,
    )) as PageAnswer<E>
    yield answer
    const { pagination } = answer as Readonly<{ pagination: Pagination }>
    cursor = pagination.has_next ? pagination.next_cursor : null
  } while (cursor !== null)
}
