// Reads any account from the contracts without a key. The API shows accounts only to their owners,
// but the chain is public.
import { fromRaw, type Rest, type shapes, toRaw } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { signed } from '../../account/worker/account-view.ts'
import { secondsText } from '../../keys/worker/keys.ts'
import type { BalanceRow, Fact, TableCell, TableRow } from '../../tables/table-protocol.ts'
import {
  ACCOUNTS,
  type ContractOrder,
  type ContractPosition,
  LENS,
  type PerpAccount,
  type ReadContract,
  readAtHead,
} from '../../wallet/worker/chain-reads.ts'
import { nodeAt } from '../../wallet/worker/chain-rpc.ts'
import type { AddressOverview } from '../address-protocol.ts'
import * as text from '../text.ts'

const DECIMALS = 18
const MONEY_DECIMALS = 2
const ONE = 10n ** BigInt(DECIMALS)
const NOTHING = '–'
/** Maximum number of orders per side that the lens is asked for. */
const ORDERS_MAX = 500
/**
 * Maximum number of markets whose orders are read, those with the most volume; each costs a call.
 */
const BOOKS_MAX = 24
/** Number of markets whose positions one call reads. */
const POSITIONS_PAGE = 200
const MARKET_DIGITS = 8
const NO_OWNER = /^0x0+$/

/** Returns what the contracts hold for an address, at one block. */
export async function lookAt(rest: Rest, typed: string): Promise<AddressOverview> {
  const address = typed.trim().toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(address)) throw new Error(text.notAnAddress)
  const [info, markets] = await Promise.all([rest.call('GET /info'), rest.call('GET /markets')])
  const { contracts, network } = info
  const [url] = network.rpc_urls
  const { accounts, lens } = contracts
  if (url === undefined || accounts === undefined || lens === undefined)
    throw new Error(text.noNode)
  const { read, block } = await readAtHead(nodeAt(url))
  const number = await read<number>(accounts.address, ACCOUNTS, ['accountOf', [address]])
  const head = { address, block: showDecimal(String(Number(block))) }
  if (number === 0) return { ...UNKNOWN, ...head }
  const owner = await read<string>(accounts.address, ACCOUNTS, ['ownerOf', [number]])
  const holdings = await readHoldings({ read, lens: lens.address, number, info, markets })
  const kind = NO_OWNER.test(owner) ? text.wallet : text.subAccountOf(owner.toLowerCase())
  return { ...head, ...holdings, isKnown: true, kind }
}

const UNKNOWN = {
  ...{ isKnown: false, kind: '', facts: [], balances: [], positions: [], orders: [], limits: [] },
}

type AddressContext = Readonly<{
  read: ReadContract
  lens: string
  number: number
  info: shapes.VenueInfo
  markets: readonly shapes.Market[]
}>

async function readHoldings(address: AddressContext) {
  const [facts, balances, positions, orders] = await Promise.all([
    readMargins(address),
    readTokens(address),
    readPositions(address),
    readOrders(address),
  ])
  const isCut = address.markets.length > BOOKS_MAX
  const limits = [text.needsKey, ...(isCut ? [text.busiestMarkets(BOOKS_MAX)] : [])]
  return { facts, balances, positions, orders, limits }
}

async function readMargins({ read, lens, number, info }: AddressContext) {
  const engine = info.contracts.perps?.address
  if (engine === undefined) return []
  return viewMargins(await read<PerpAccount>(lens, LENS, ['perpAccount', [engine, number]]))
}

async function readTokens({ read, lens, number, info }: AddressContext) {
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

async function readPositions({ read, lens, number, info, markets }: AddressContext) {
  const engine = info.contracts.perps?.address
  if (engine === undefined) return []
  const perps = markets.filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
  const pages = Array.from({ length: Math.ceil(perps.length / POSITIONS_PAGE) }, (_, page) =>
    perps.slice(page * POSITIONS_PAGE, (page + 1) * POSITIONS_PAGE),
  )
  const rows = await Promise.all(
    pages.map(async (page) => {
      const args = [engine, [number], page.map(marketNumber)]
      const [positions = []] = await read<readonly (readonly ContractPosition[])[]>(lens, LENS, [
        'positions',
        args,
      ])
      return page.flatMap((market, at) => viewPosition(market, positions[at] ?? FLAT) ?? [])
    }),
  )
  return rows.flat()
}

const FLAT: ContractPosition = { lots: 0n, quote: 0n }

async function readOrders({ read, lens, number, markets }: AddressContext) {
  const busiest = [...markets]
    .sort((a, b) => Number(b.volume_24h) - Number(a.volume_24h))
    .slice(0, BOOKS_MAX)
  const rows = await Promise.all(
    busiest.map(async (market) => {
      const args = [marketEngine(market), marketNumber(market), BigInt(ORDERS_MAX)]
      const sides = await read<readonly (readonly ContractOrder[])[]>(lens, LENS, ['books', args])
      const [bids = [], asks = []] = sides
      const isOwn = ({ account }: ContractOrder) => account === number
      return [
        ...bids.filter(isOwn).map((order) => viewResting(market, 'buy', order)),
        ...asks.filter(isOwn).map((order) => viewResting(market, 'sell', order)),
      ]
    }),
  )
  return rows.flat()
}

/** A market id is its engine followed by its number there. */
const marketEngine = ({ instrument_id: id }: shapes.Market): string => id.slice(0, -MARKET_DIGITS)
const marketNumber = ({ instrument_id: id }: shapes.Market): number =>
  Number.parseInt(id.slice(-MARKET_DIGITS), 16)

const money = (raw: bigint) => showDecimal(fromRaw(raw, DECIMALS), MONEY_DECIMALS)
const cell = (content: string): TableCell => ({ text: content, side: '' })
const magnitude = (raw: bigint) => (raw < 0n ? -raw : raw)

/** Returns equity and margins as described facts. */
const viewMargins = (margins: PerpAccount): readonly Fact[] => [
  {
    ...{ name: text.equity, value: money(margins.equity), side: '' },
    hint: text.equityTerms,
  },
  {
    ...{ name: text.collateral, value: money(margins.collateral), side: '' },
    hint: text.collateralTerms,
  },
  {
    ...{ name: text.free, value: money(margins.available), side: '' },
    hint: text.freeTerms,
  },
  {
    ...{ name: text.initialMargin, value: money(margins.initialMargin), side: '' },
    hint: text.initialMarginTerms,
  },
  {
    ...{ name: text.maintenanceMargin, value: money(margins.maintenanceMargin), side: '' },
    hint: text.maintenanceMarginTerms,
  },
]

/** Returns the row of a position, or undefined if there is none. */
function viewPosition(
  market: shapes.Market,
  { lots, quote }: ContractPosition,
): TableRow | undefined {
  if (lots === 0n) return undefined
  const base = toRaw(market.amount_step, DECIMALS) * lots
  const mark = market.mark_price === null ? undefined : toRaw(market.mark_price, DECIMALS)
  const value = mark === undefined ? undefined : (base * mark) / ONE
  const entry = fromRaw((magnitude(quote) * ONE) / magnitude(base), DECIMALS)
  const digits = market.price_step.split('.')[1]?.length ?? 0
  const pnl =
    value === undefined ? NOTHING : signed(fromRaw(value + quote, DECIMALS), MONEY_DECIMALS)
  const isLong = lots > 0n
  return {
    ...{ id: market.instrument_id, market: market.instrument_name, action: '' },
    cells: [
      cell(market.instrument_name),
      {
        text: text.positionSize(isLong, showDecimal(fromRaw(magnitude(base), DECIMALS))),
        side: isLong ? 'buy' : 'sell',
      },
      cell(value === undefined ? NOTHING : money(magnitude(value))),
      cell(showDecimal(entry, digits)),
      cell(market.mark_price === null ? NOTHING : showDecimal(market.mark_price, digits)),
      { text: pnl, side: sideOf(pnl) },
    ],
  }
}

const sideOf = (shown: string): TableCell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}

function viewResting(
  market: shapes.Market,
  side: 'buy' | 'sell',
  { order, tick, lots, goodTil }: ContractOrder,
): TableRow {
  const price = fromRaw(toRaw(market.price_step, DECIMALS) * BigInt(tick), DECIMALS)
  const amount = fromRaw(toRaw(market.amount_step, DECIMALS) * lots, DECIMALS)
  return {
    ...{ id: `${market.instrument_id}-${order}`, market: market.instrument_name, action: '' },
    cells: [
      cell(market.instrument_name),
      { text: text.sides[side], side },
      cell(showDecimal(price)),
      cell(showDecimal(amount)),
      cell(goodTil === 0 ? text.untilCancelled : secondsText(goodTil)),
    ],
  }
}

/** Returns the row of a token that the account may withdraw. */
const viewFree = (token: shapes.InfoToken, raw: bigint): BalanceRow => ({
  ...{ id: token.address, symbol: token.symbol, kind: 'spot' },
  total: NOTHING,
  free: showDecimal(fromRaw(raw, token.decimals)),
  value: NOTHING,
})
