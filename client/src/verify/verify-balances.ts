// Compares the account of the API with the contracts' state.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { formatRaw } from '@openvenue/core/units'
import type { Hex } from 'viem'
import type { Account } from '../../generated/shapes.ts'
import { amountText } from '../chain/market-text.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type VerifiedBlock } from './block-view.ts'
import { type ChainMarket, readAccount, readDecimals, readListed } from './contracts.ts'
import { expectSame, type MemberComparison, membersOf } from './differences.ts'
import { readLocked } from './locked.ts'
import type { VerifyOptions } from './verify-book.ts'

/** A verified account. */
export type VerifiedBalances = Readonly<{ block: VerifiedBlock; account: Account }>

/** Decimals of margin amounts. */
const DECIMALS = 18

/**
 * Requests the account object of `account` (a wallet or sub-account) and compares it with the
 * contracts: every spot token, free and locked; collateral, equity, margins and withdrawable
 * balance; size, side and entry price of every position. `rest` needs a key of the account.
 *
 * @throws MismatchError with each member that differs; ChainError if the node fails.
 */
export async function verifyBalances(
  rest: Rest,
  rpc: ChainRpc,
  account: string,
  options: VerifyOptions = {},
): Promise<VerifiedBalances> {
  const contracts = options.contracts ?? (await namedContracts(rest))
  const answer = await rest.ask('GET /account', {}, { signal: options.signal })
  const { body } = answer
  const view = await BlockView.of(answer, rpc, options)
  const number = await readAccount(view, contracts, account)
  const reading = { view, contracts, number }
  const [tokens, margin, positions] = await Promise.all([
    compareTokens(reading, body),
    compareMargin(reading, body),
    comparePositions(reading, body),
  ])
  expectSame(`account ${account} at block ${view.block.number}`, [
    ['account', body.account.toLowerCase(), account.toLowerCase()],
    ...tokens,
    ...margin,
    ...positions,
  ])
  return { block: view.block, account: body }
}

type Reading = Readonly<{ view: BlockView; contracts: VenueContracts; number: number }>

async function compareTokens(reading: Reading, body: Account): Promise<MemberComparison[]> {
  const { view, contracts, number } = reading
  const engine = { address: contracts.spot as Hex, abi: spotAbi } as const
  const count = await view.read({ ...engine, functionName: 'tokenCount' })
  const tokens = await Promise.all(
    numbersTo(count).map((index) =>
      view.read({ ...engine, functionName: 'tokenAt', args: [index] }),
    ),
  )
  const [[free = []], decimals] = await Promise.all([
    view.read({
      address: contracts.lens as Hex,
      abi: lensAbi,
      functionName: 'spotBalances',
      args: [contracts.spot as Hex, [number], tokens],
    }),
    Promise.all(tokens.map((token) => readDecimals(view, token))),
  ])
  const rows = spotRows(body)
  const compare = async (isExpiredCounted: boolean) => {
    const locked = await readLocked(view, contracts, { account: number, isExpiredCounted })
    return tokens.flatMap((token, index) => {
      const key = token.toLowerCase()
      const amounts = { free: free[index] ?? 0n, locked: locked.get(key) ?? 0n }
      const chain = tokenMembers(amounts, decimals[index] ?? 0)
      return membersOf(`collaterals[${key}].`, rows.get(key) ?? NO_TOKEN, chain)
    })
  }
  const listed = new Set(tokens.map((token) => token.toLowerCase()))
  const unknown = [...rows.keys()].filter((token) => !listed.has(token))
  const quick = await compare(false)
  return [
    ...unknown.map((token): MemberComparison => [`collaterals[${token}]`, 'a token', 'no token']),
    // A difference may come from expired orders; reading them takes a request per level.
    ...(quick.every(([, venue, chain]) => venue === chain) ? quick : await compare(true)),
  ]
}

/** Tokens with a zero balance are not listed. */
const NO_TOKEN = {
  balance: '0',
  available_balance: '0',
  locked_balance: '0',
  withdrawable_balance: '0',
}

const spotRows = ({ collaterals }: Account) =>
  new Map(
    collaterals
      .filter((row) => row.instrument_type === 'SPOT')
      .map((row) => [row.collateral_address.toLowerCase(), row]),
  )

function tokenMembers(
  { free, locked }: Readonly<Record<'free' | 'locked', bigint>>,
  decimals: number,
) {
  return {
    balance: formatRaw(free + locked, decimals),
    available_balance: formatRaw(free, decimals),
    locked_balance: formatRaw(locked, decimals),
    withdrawable_balance: formatRaw(free, decimals),
  }
}

async function compareMargin({ view, contracts, number }: Reading, body: Account) {
  const state = await view.read({
    address: contracts.lens as Hex,
    abi: lensAbi,
    functionName: 'perpAccount',
    args: [contracts.perps as Hex, number],
  })
  const token = await view.read({
    address: contracts.perps as Hex,
    abi: perpsAbi,
    functionName: 'collateral',
  })
  const decimals = await readDecimals(view, token)
  const text = (raw: bigint) => formatRaw(raw, DECIMALS)
  const cut = (raw: bigint) => formatRaw(cutTo(raw, decimals), decimals)
  const row = body.collaterals.find(({ instrument_type }) => instrument_type === 'PERPETUAL')
  const margin = {
    balance: text(state.collateral),
    equity: text(state.equity),
    initial_margin: text(state.initialMargin),
    maintenance_margin: text(state.maintenanceMargin),
    available_balance: text(state.available),
  }
  const rowMembers = {
    collateral_address: token.toLowerCase(),
    balance: cut(state.collateral),
    available_balance: cut(state.available),
    collateral_value: text(state.collateral),
    withdrawable_balance: cut(state.withdrawable),
  }
  return [
    // An account that never had margin has null or 0 and no row.
    ...(row === undefined && isEmpty(body) && state.collateral === 0n && state.equity === 0n
      ? []
      : [
          ...membersOf('', body, margin),
          ...membersOf(`collaterals[${token.toLowerCase()} PERPETUAL].`, row, rowMembers),
        ]),
  ]
}

const isEmpty = ({ balance, equity }: Account) => balance === '0' && Number(equity ?? 0) === 0

/** Truncates towards zero. */
function cutTo(raw: bigint, decimals: number): bigint {
  return decimals < DECIMALS
    ? raw / 10n ** BigInt(DECIMALS - decimals)
    : raw * 10n ** BigInt(decimals - DECIMALS)
}

async function comparePositions({ view, contracts, number }: Reading, body: Account) {
  const engine = contracts.perps.toLowerCase()
  const count = await view.read({
    address: engine as Hex,
    abi: perpsAbi,
    functionName: 'marketCount',
  })
  const numbers = numbersTo(count)
  const markets = await Promise.all(
    numbers.map((market) => readListed(view, 'PERPETUAL', { engine, number: market })),
  )
  const [rows = []] = await view.read({
    address: contracts.lens as Hex,
    abi: lensAbi,
    functionName: 'positions',
    args: [engine as Hex, [number], numbers],
  })
  const chain = new Map(
    markets.flatMap((market, index) => {
      const { lots = 0n, quote = 0n } = rows[index] ?? {}
      return lots === 0n ? [] : [[market.id, positionMembers(market, lots, quote)] as const]
    }),
  )
  const said = new Map(
    body.positions
      .filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
      .map((row) => [row.instrument_id, row]),
  )
  return [...new Set([...said.keys(), ...chain.keys()])].flatMap((id) =>
    membersOf(`positions[${id}].`, said.get(id), chain.get(id)),
  )
}

/** `quote` is the negated cost of the lots. */
function positionMembers(market: ChainMarket, lots: bigint, quote: bigint) {
  const base = magnitude(lots) * market.amountStep
  const entry = (magnitude(quote) * 10n ** BigInt(market.baseDecimals)) / base
  return {
    side: lots > 0n ? 'buy' : 'sell',
    amount: amountText(market, magnitude(lots)),
    avg_entry_price: formatRaw(entry, market.quoteDecimals),
  }
}

const magnitude = (value: bigint) => (value < 0n ? -value : value)

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
