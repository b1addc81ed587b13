// Reads and writes what the URL names: the page, and the market that it is about.

export const PAGES = [
  ...(['trade', 'markets', 'portfolio', 'accounts', 'keys'] as const),
  // What is not offered everywhere comes last: those before it stay where they are.
  ...(['look', 'status', 'faucet', 'pools'] as const),
] as const
export type Page = (typeof PAGES)[number]
const NAMES: Readonly<Record<Page, string>> = {
  trade: 'Trade',
  markets: 'Markets',
  portfolio: 'Portfolio',
  accounts: 'Sub-accounts',
  keys: 'Keys',
  look: 'View address',
  faucet: 'Faucet',
  pools: 'Pools',
  status: 'Status',
}

export const pageName = (page: Page): string => NAMES[page]

type Offering = Readonly<{
  shown: Readonly<{
    pools: Readonly<{ isOffered: boolean }>
    wallet: Readonly<{ isDevnet: boolean }>
  }>
  faucetUrl: () => string
}>

/** Whether a venue has what a page is about. */
export function isOffered(page: Page, { shown, faucetUrl }: Offering): boolean {
  if (page === 'pools') return shown.pools.isOffered
  return page !== 'faucet' || shown.wallet.isDevnet || faucetUrl() !== ''
}

/** `account` is the address that is only looked at. */
export type Route = Readonly<{ page: Page; market: string; account: string }>

const isPage = (text: string | null): text is Page => PAGES.some((page) => page === text)

/** Returns what a query names; a page that there is not is the one to trade on. */
export function readRoute(search: string): Route {
  const query = new URLSearchParams(search)
  const page = query.get('page')
  const account = query.get('account') ?? ''
  const unnamed = account === '' ? 'trade' : 'look'
  return { page: isPage(page) ? page : unnamed, market: query.get('market') ?? '', account }
}

/** Returns the query of a route; what else `search` names is kept. */
export function writeRoute({ page, market, account }: Route, search: string): string {
  const query = new URLSearchParams(search)
  query.set('page', page)
  if (page === 'trade') query.delete('page')
  if (market !== '') query.set('market', market)
  query.delete('account')
  if (page === 'look' && account !== '') query.set('account', account)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
