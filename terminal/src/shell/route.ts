// Reads and writes what the URL names: the page, and the market that it is about.

export const PAGES = ['trade', 'markets', 'pools', 'status'] as const
export type Page = (typeof PAGES)[number]
export type Route = Readonly<{ page: Page; market: string }>

const isPage = (text: string | null): text is Page => PAGES.some((page) => page === text)

/** Returns what a query names; a page that there is not is the one to trade on. */
export function readRoute(search: string): Route {
  const query = new URLSearchParams(search)
  const page = query.get('page')
  return { page: isPage(page) ? page : 'trade', market: query.get('market') ?? '' }
}

/** Returns the query of a route; what else `search` names is kept. */
export function writeRoute({ page, market }: Route, search: string): string {
  const query = new URLSearchParams(search)
  query.set('page', page)
  if (page === 'trade') query.delete('page')
  if (market !== '') query.set('market', market)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
