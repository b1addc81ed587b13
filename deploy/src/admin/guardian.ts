// Lists the guardian's immediate actions, without a proposal: stopping markets and prices, and
// slowing withdrawals. `all` covers everything on chain, including what venue.json does not list.
import { ConfigInvalid } from '@openvenue/runtime/environment'
import type { Hex } from 'viem'
import { mapLimited } from '../chain/chain.ts'
import { byName, requireContract } from '../plan/contracts.ts'
import { nameText } from '../plan/names.ts'
import {
  type Action,
  type ActionScope,
  findAsset,
  findMarket,
  haltAction,
  type MarketRef,
  makeCall,
  pauseAction,
  requireOneOf,
} from './actions.ts'

type Lister = (parts: ActionScope, subjects: readonly string[]) => Promise<readonly Action[]>

const ALL = 'all'
const ENGINES = ['spot', 'perps'] as const
/** A tenth per hour: the contracts refuse a lower share, so that users are never locked in. */
const SHARE_LEAST = 1_000
const SHARE_WHOLE = 10_000

const LISTERS: Readonly<Record<string, Lister>> = {
  halt: (parts, markets) => listHalts(parts, markets, true),
  resume: (parts, markets) => listHalts(parts, markets, false),
  pause: (parts, assets) => listPauses(parts, assets, true),
  unpause: (parts, assets) => listPauses(parts, assets, false),
  'limit-outflow': (parts, symbols) => listByToken(parts, symbols, limitAction),
  'stop-deposits': (parts, symbols) => listByToken(parts, symbols, stopDepositsAction),
}

export const GUARDIAN_USAGE = `  halt MARKET …, pause ASSET …, limit-outflow TOKEN …, stop-deposits TOKEN …: by the guardian, at once;
  "all" selects every market, asset or token
  resume MARKET …, unpause ASSET …: by any account, three days after the guardian's stop`

export const isGuardianWord = (word: string): boolean => Object.hasOwn(LISTERS, word)

/** Returns the calls for `word`; throws `ConfigInvalid`. */
export async function listStops(
  parts: ActionScope,
  word: string,
  subjects: readonly string[],
): Promise<readonly Action[]> {
  const lister = LISTERS[word]
  if (lister === undefined || subjects.length === 0)
    throw new ConfigInvalid(
      `${word} is incomplete: got no name, expected one or more names, or "all"\n${GUARDIAN_USAGE}`,
    )
  if (subjects.includes(ALL) && subjects.length > 1)
    throw new ConfigInvalid(
      `names are invalid: got "all" and ${subjects.length - 1} more, expected only "all"`,
    )
  return lister(parts, subjects)
}

const isAll = ([first]: readonly string[]) => first === ALL

async function listHalts(
  parts: ActionScope,
  names: readonly string[],
  isHalted: boolean,
): Promise<readonly Action[]> {
  const markets = isAll(names)
    ? await readMarkets(parts)
    : names.map((name) => findMarket(parts, name))
  return markets.map((market) => haltAction(parts, market, isHalted))
}

/** Reads every market of the engines. Markets that venue.json does not list only have a number. */
async function readMarkets(parts: ActionScope): Promise<readonly MarketRef[]> {
  const { chain, terms } = parts
  const markets = await mapLimited(ENGINES, async (engine) => {
    const { abi, address } = requireContract(byName(parts.contracts), engine)
    const count = Number(await chain.read({ abi, address, functionName: 'marketCount' }))
    return Array.from({ length: count }, (_, index) => ({
      engine,
      number: index + 1,
      name: terms[engine][index]?.name ?? `market ${index + 1} of ${engine}`,
    }))
  })
  return markets.flat()
}

async function listPauses(
  parts: ActionScope,
  names: readonly string[],
  isPaused: boolean,
): Promise<readonly Action[]> {
  const assets = isAll(names)
    ? await readAssets(parts)
    : names.map((name) => findAsset(parts, name))
  return assets.map((asset) => pauseAction(parts, asset, isPaused))
}

/** Returns the assets of venue.json and those of markets on the chain. */
async function readAssets(parts: ActionScope): Promise<readonly string[]> {
  const { abi, address } = requireContract(byName(parts.contracts), 'perps')
  const markets = (await readMarkets(parts)).filter(({ engine }) => engine === 'perps')
  const traded = await mapLimited(markets, async ({ number }) => {
    const call = { abi, address, functionName: 'quoteOf', args: [number] }
    const quote = await parts.chain.read<{ asset: Hex }>(call)
    return quote === undefined ? [] : [nameText(quote.asset)]
  })
  const configured = parts.terms.oracle.assets.map(({ asset }) => asset)
  return [...new Set([...configured, ...traded.flat()])]
}

type ListedToken = Readonly<{ engine: (typeof ENGINES)[number]; token: Hex; symbol: string }>
type Outflow = readonly [shareBps: number, small: bigint, room: bigint]

async function listByToken(
  parts: ActionScope,
  symbols: readonly string[],
  make: (parts: ActionScope, token: ListedToken) => Action | Promise<Action>,
): Promise<readonly Action[]> {
  const tokens = await readTokens(parts)
  const listed = [...new Set(tokens.map(({ symbol }) => symbol))]
  const selected = isAll(symbols)
    ? listed
    : symbols.map((symbol) => requireOneOf('token', symbol, listed))
  const selectedTokens = tokens.filter(({ symbol }) => selected.includes(symbol))
  return mapLimited(selectedTokens, async (token) => make(parts, token))
}

async function readTokens(parts: ActionScope): Promise<readonly ListedToken[]> {
  const symbols = new Map(
    Object.entries(parts.terms.tokens).map(([symbol, { address }]) => [
      address.toLowerCase(),
      symbol,
    ]),
  )
  const tokens = await mapLimited(ENGINES, async (engine) => {
    const { abi, address } = requireContract(byName(parts.contracts), engine)
    const read = (functionName: string, ...args: readonly unknown[]) =>
      parts.chain.read<unknown>({ abi, address, functionName, args })
    const count = Number(await read('tokenCount'))
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    return mapLimited(numbers, async (number) => {
      const token = String(await read('tokenAt', number)).toLowerCase() as Hex
      return { engine, token, symbol: symbols.get(token) ?? token }
    })
  })
  return tokens.flat()
}

/** Lowers the share to the minimum; the guardian may not change the fixed allowance. */
async function limitAction(
  parts: ActionScope,
  { engine, token, symbol }: ListedToken,
): Promise<Action> {
  const { abi, address } = requireContract(byName(parts.contracts), engine)
  const view = { abi, address, functionName: 'outflowOf', args: [token] }
  const readShare = async () =>
    (await parts.chain.read<Outflow>(view)) ?? ([SHARE_WHOLE, 0n] as const)
  const [, small] = await readShare()
  const limit = makeCall(parts, engine, {
    name: `outflow limit of ${symbol} at ${engine}, basis points per hour`,
    functionName: 'setOutflowLimit',
    args: [token, SHARE_LEAST, small],
    expected: String(SHARE_LEAST),
  })
  return { ...limit, read: async () => String((await readShare())[0]) }
}

/** Sets deposit caps to zero; insurance and fees are exempt. Only the owner can raise them. */
function stopDepositsAction(parts: ActionScope, { engine, token, symbol }: ListedToken): Action {
  const { abi, address } = requireContract(byName(parts.contracts), engine)
  const view = { abi, address, functionName: 'depositCapOf', args: [token] }
  const stop = makeCall(parts, engine, {
    name: `deposit caps of ${symbol} at ${engine} (total, per account)`,
    functionName: 'setDepositCap',
    args: [token, 0n, 0n],
    expected: '0 0',
  })
  return {
    ...stop,
    read: async () => (await parts.chain.read<readonly [bigint, bigint]>(view))?.join(' ') ?? '',
  }
}
