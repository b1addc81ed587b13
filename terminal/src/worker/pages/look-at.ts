// Looks at any account without a key: the API keeps accounts to their owners, the chain does not.
import type { Rest, shapes } from 'openvenue'
import { showDecimal } from '../text/decimal-text.ts'
import { nodeAt } from '../wallet/chain-rpc.ts'
import {
  ACCOUNTS,
  type ChainPosition,
  LENS,
  type PerpAccount,
  type Read,
  type RestingOrder,
  readAtHead,
} from './chain-reads.ts'
import { viewFree, viewMargins, viewPosition, viewResting } from './looked-at.ts'
import type { LookedAt } from './page-protocol.ts'

/** Of a side: what the lens is asked for. */
const ORDERS_MAX = 500
/** Markets whose orders are read, those with the most volume; each costs a call. */
const BOOKS_MAX = 24
/** Markets whose positions one call reads. */
const POSITIONS_PAGE = 200
const MARKET_DIGITS = 8
const NOBODY = /^0x0+$/

/** Returns what the contracts hold of an address, at one block. */
export async function lookAt(rest: Rest, typed: string): Promise<LookedAt> {
  const address = typed.trim().toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(address))
    throw new Error(
      'an address is 0x and 40 hex digits, such as 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
    )
  const [info, markets] = await Promise.all([rest.call('GET /info'), rest.call('GET /markets')])
  const { contracts, network } = info
  const [url] = network.rpc_urls
  const { accounts, lens } = contracts
  if (url === undefined || accounts === undefined || lens === undefined)
    throw new Error(
      'this venue names no node of its chain: without a key of the account it can not be looked at',
    )
  const { read, block } = await readAtHead(nodeAt(url))
  const number = await read<number>(accounts.address, ACCOUNTS, ['accountOf', [address]])
  const head = { address, block: showDecimal(String(Number(block))) }
  if (number === 0) return { ...UNKNOWN, ...head }
  const owner = await read<string>(accounts.address, ACCOUNTS, ['ownerOf', [number]])
  const held = await readHeld({ read, lens: lens.address, number, info, markets })
  const kind = NOBODY.test(owner) ? 'a wallet' : `a sub-account of ${owner.toLowerCase()}`
  return { ...head, ...held, isKnown: true, kind }
}

const UNKNOWN = {
  ...{ isKnown: false, kind: '', facts: [], balances: [], positions: [], orders: [], limits: [] },
}

type Looking = Readonly<{
  read: Read
  lens: string
  number: number
  info: shapes.VenueInfo
  markets: readonly shapes.Market[]
}>

async function readHeld(looking: Looking) {
  const [facts, balances, positions, orders] = await Promise.all([
    readMargins(looking),
    readTokens(looking),
    readPositions(looking),
    readOrders(looking),
  ])
  const isCut = looking.markets.length > BOOKS_MAX
  const limits = [
    'Results of the past and balance history are kept to the owner of an account: a key opens them.',
    ...(isCut ? [`Orders are those of the ${BOOKS_MAX} markets with the most volume.`] : []),
  ]
  return { facts, balances, positions, orders, limits }
}

async function readMargins({ read, lens, number, info }: Looking) {
  const engine = info.contracts.perps?.address
  if (engine === undefined) return []
  return viewMargins(await read<PerpAccount>(lens, LENS, ['perpAccount', [engine, number]]))
}

async function readTokens({ read, lens, number, info }: Looking) {
  const engine = info.contracts.spot?.address
  const { tokens } = info
  if (engine === undefined || tokens.length === 0) return []
  const args = [engine, [number], tokens.map(({ address }) => address)]
  const [row = []] = await read<readonly (readonly bigint[])[]>(lens, LENS, ['spotBalances', args])
  return tokens.flatMap((token, at) => {
    const raw = row[at] ?? 0n
    return raw === 0n ? [] : [viewFree(token, raw)]
  })
}

async function readPositions({ read, lens, number, info, markets }: Looking) {
  const engine = info.contracts.perps?.address
  if (engine === undefined) return []
  const perps = markets.filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
  const pages = Array.from({ length: Math.ceil(perps.length / POSITIONS_PAGE) }, (_, page) =>
    perps.slice(page * POSITIONS_PAGE, (page + 1) * POSITIONS_PAGE),
  )
  const rows = await Promise.all(
    pages.map(async (page) => {
      const args = [engine, [number], page.map(marketNumber)]
      const [held = []] = await read<readonly (readonly ChainPosition[])[]>(lens, LENS, [
        'positions',
        args,
      ])
      return page.flatMap((market, at) => viewPosition(market, held[at] ?? FLAT) ?? [])
    }),
  )
  return rows.flat()
}

const FLAT: ChainPosition = { lots: 0n, quote: 0n }

async function readOrders({ read, lens, number, markets }: Looking) {
  const busiest = [...markets]
    .sort((a, b) => Number(b.volume_24h) - Number(a.volume_24h))
    .slice(0, BOOKS_MAX)
  const rows = await Promise.all(
    busiest.map(async (market) => {
      const args = [marketEngine(market), marketNumber(market), BigInt(ORDERS_MAX)]
      const sides = await read<readonly (readonly RestingOrder[])[]>(lens, LENS, ['books', args])
      const [bids = [], asks = []] = sides
      const own = ({ account }: RestingOrder) => account === number
      return [
        ...bids.filter(own).map((order) => viewResting(market, 'buy', order)),
        ...asks.filter(own).map((order) => viewResting(market, 'sell', order)),
      ]
    }),
  )
  return rows.flat()
}

/** The id of a market is its engine and its number there. */
const marketEngine = ({ instrument_id: id }: shapes.Market): string => id.slice(0, -MARKET_DIGITS)
const marketNumber = ({ instrument_id: id }: shapes.Market): number =>
  Number.parseInt(id.slice(-MARKET_DIGITS), 16)
