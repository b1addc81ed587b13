// Compares the API and the indexer with the contracts at the same block.
import assert from 'node:assert/strict'
import { until } from '@openvenue/core/test/until'
import { numberInId } from '@openvenue/devnet/deployment'
import type { Devnet } from '@openvenue/devnet/devnet'
import { MARKETS } from '@openvenue/devnet/markets'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { CallRefused, quantity } from '@openvenue/runtime/node'
import { type ChainHoldings, type Position, positionText, readContracts } from './contracts.ts'
import { FundingLog } from './funding-log.ts'
import {
  ask,
  askSnapshot,
  type BlockAnswer,
  type FundingRow,
  type FundingSnapshot,
  type OrderBook,
  type Snapshot,
  type Statistics,
  type Trade,
} from './probe.ts'
import { TradeLog } from './trade-log.ts'

const TRADES = 100
/** Maximum number of funding hours in one answer. */
const HOURS = 500
const PERPS = MARKETS.filter(({ type }) => type === 'perp').map(({ name }) => name)

type Comparer = Readonly<{
  /**
   * Compares everything at the newest block. Returns its number; undefined when the venue moved on
   * meanwhile, or showed a block that the chain has lost. Throws an assertion error when something
   * differs.
   */
  compare(): Promise<number | undefined>
}>

type VenueUrls = Pick<Devnet, 'apiUrl' | 'indexerUrl' | 'rpcUrl' | 'deployment'>

/** Returns a function that compares the venue at `urls` with its contracts. */
export function createComparer(urls: VenueUrls): Comparer {
  const rpc = rpcAt(urls.rpcUrl)
  const trades = new TradeLog(rpc, urls.deployment)
  const hours = new FundingLog(rpc, urls.deployment)
  return {
    compare: async () => {
      const venue = await readVenue(urls)
      if (venue === undefined) return undefined
      const { block } = venue
      await left(rpc, block)
      // A chain that lost blocks may have replaced them by now: the venue will undo this one.
      if ((await readBlockHash(rpc, block)) !== venue.hash) return undefined
      try {
        const chain = await readContracts(rpc, urls.deployment, block)
        await trades.readTo(block)
        for (const { name } of MARKETS) {
          assert.deepEqual(venue.books.get(name), chain.books.get(name), `book of ${name}`)
          const logged = trades.newest(name, block, TRADES)
          assert.deepEqual(venue.trades.get(name), logged, `trades of ${name} at block ${block}`)
        }
        await hours.readTo(block)
        for (const name of PERPS) {
          const logged = hours.upTo(name, block).slice(-HOURS)
          assert.deepEqual(venue.fundingHistory.get(name), logged, `funding of ${name} at ${block}`)
        }
        assert.deepEqual(venue.funding, chain.funding, `funding at ${block}`)
        assert.deepEqual(venue.marks, chain.marks, `marks at ${block}`)
        assert.deepEqual(venue.openInterest, chain.openInterest, `open interest at ${block}`)
        assert.deepEqual(venue.holdings, chain.holdings, `holdings at block ${block}`)
      } catch (error) {
        // The node keeps the state of few blocks, and moved on.
        if (error instanceof CallRefused) return undefined
        throw error
      }
      return block
    },
  }
}

/**
 * Resolves when `block` is no longer the newest: while anvil mines a block, a call at the previous
 * one may return the new state.
 */
export async function left(rpc: ChainRpc, block: number): Promise<void> {
  await until(
    `block ${block} is not the newest`,
    async () => Number(await rpc.call('eth_blockNumber')) > block,
  )
}

export async function readBlockHash(rpc: ChainRpc, block: number): Promise<string | undefined> {
  const header = await rpc.call('eth_getBlockByNumber', quantity(block), false)
  return (header as { hash: string } | null)?.hash
}

type VenueSide = Readonly<{
  block: number
  hash: string
  books: ReadonlyMap<string, OrderBook>
  trades: ReadonlyMap<string, readonly Trade[]>
  openInterest: ReadonlyMap<string, string>
  marks: ReadonlyMap<string, string>
  funding: ReadonlyMap<string, FundingSnapshot>
  fundingHistory: ReadonlyMap<string, readonly FundingRow[]>
  holdings: ChainHoldings
}>

/** Returns the answers of API and indexer at one block; undefined when their blocks differ. */
async function readVenue({ apiUrl, indexerUrl }: VenueUrls): Promise<VenueSide | undefined> {
  const names = MARKETS.map(({ name }) => name)
  const [snapshot, books, trades, statistics, funding, history] = await Promise.all([
    askSnapshot(indexerUrl),
    Promise.all(names.map((name) => ask(apiUrl, `/orderbook/${name}`))),
    Promise.all(names.map((name) => ask(apiUrl, `/markets/${name}/trades?limit=${TRADES}`))),
    Promise.all(PERPS.map((name) => ask(apiUrl, `/statistics?instrument_name=${name}`))),
    Promise.all(PERPS.map((name) => ask(apiUrl, `/funding/${name}`))),
    Promise.all(PERPS.map((name) => ask(apiUrl, `/funding-history/${name}?limit=${HOURS}`))),
  ])
  const answers: readonly BlockAnswer[] = [
    ...books,
    ...trades,
    ...statistics,
    ...funding,
    ...history,
  ]
  const { block, hash } = snapshot
  if (answers.some((answer) => answer.block !== block || answer.hash !== hash)) return undefined
  return {
    block,
    hash,
    books: byName(names, books.map(sortTokens)),
    trades: byName(names, trades.map(pickTrades)),
    openInterest: byName(PERPS, statistics.map(openInterest)),
    marks: byName(PERPS, statistics.map(markPrice)),
    funding: byName(PERPS, funding.map(pickFunding)),
    fundingHistory: byName(PERPS, history.map(pickHistory)),
    holdings: sumHeld(snapshot.body as Snapshot),
  }
}

const byName = <T>(names: readonly string[], values: readonly T[]) =>
  new Map(names.map((name, index) => [name, values[index] as T]))

function sortTokens({ body }: BlockAnswer): OrderBook {
  const { bids, asks } = body as OrderBook
  return { bids, asks }
}

const pickTrades = ({ body }: BlockAnswer) =>
  (body as Trade[]).map(({ trade_id, tx_hash, price, amount, side }) => ({
    trade_id,
    tx_hash,
    price,
    amount,
    side,
  }))

function pickFunding({ body }: BlockAnswer): FundingSnapshot {
  const { funding_rate, estimated_rate, protocol_funding_rate } = body as FundingSnapshot
  return { funding_rate, estimated_rate, protocol_funding_rate }
}

const pickHistory = ({ body }: BlockAnswer) =>
  (body as { funding_history: readonly FundingRow[] }).funding_history

const openInterest = ({ body }: BlockAnswer) => String((body as Statistics).open_interest.total)

const markPrice = ({ body }: BlockAnswer) => String((body as Statistics).mark_price)

function sumHeld(snapshot: Snapshot): ChainHoldings {
  assert.equal(snapshot.isTruncated, false)
  return {
    balances: new Map(
      snapshot.balances.map((row) => [
        `${row.account}|${row.token}`,
        `${row.free} free, ${row.locked} locked`,
      ]),
    ),
    collaterals: new Map(
      snapshot.collaterals.map((row) => [String(row.account), String(row.amount)]),
    ),
    positions: new Map(
      snapshot.positions.map((row) => [
        `${numberInId(String(row.market))}|${row.account}`,
        positionText(row as unknown as Position),
      ]),
    ),
  }
}
