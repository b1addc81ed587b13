// Compares the trades of a market with the logs of its engine: no extra and no missing trade.
import type { Trade } from '../../generated/shapes.ts'
import { amountText, priceText } from '../chain/market-text.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type VerifiedBlock } from './block-view.ts'
import { type ChainMarket, expectName, readMarket } from './contracts.ts'
import { expectSame, membersOf } from './differences.ts'
import { type LoggedMembers, readExchanges, takerBuys } from './exchanges.ts'
import { type ListOptions, limitOf } from './verify-fills.ts'

/** Verified trades of a market, newest first. */
export type VerifiedTrades = Readonly<{ block: VerifiedBlock; trades: readonly Trade[] }>

/**
 * Requests the newest trades of `market`, by name or id, and compares them with the logs of its
 * engine since the oldest, like `verifyFills`. Needs no key.
 */
export async function verifyTrades(
  rest: Rest,
  rpc: ChainRpc,
  market: string,
  options: ListOptions = {},
): Promise<VerifiedTrades> {
  const contracts = options.contracts ?? (await namedContracts(rest))
  const { signal } = options
  const limit = limitOf(options)
  const path = { instrument_id: market }
  const listed = await rest.call('GET /markets/{instrument_id}', { path }, { signal })
  const parts = { path, query: { limit } }
  const answer = await rest.ask('GET /markets/{instrument_id}/trades', parts, { signal })
  const view = await BlockView.of(answer, rpc, options)
  const isId = market.startsWith('0x')
  const chainMarket = await readMarket(view, contracts, isId ? market : listed.instrument_id)
  if (!isId) await expectName(view, contracts, { ...chainMarket, name: market })
  const trades = answer.body
  const first = trades.length < limit ? undefined : trades.at(-1)?.trade_id
  const chain = await readTrades(view, contracts, { first, market: chainMarket })
  const served = new Map(trades.map((trade) => [trade.trade_id, trade]))
  const ids = [...new Set([...served.keys(), ...[...chain.keys()].slice(-limit)])]
  expectSame(
    `trades of ${market} at block ${view.block.number}`,
    ids.flatMap((id) => membersOf(`trades[${id}].`, served.get(id), chain.get(id))),
  )
  return { block: view.block, trades }
}

async function readTrades(
  view: BlockView,
  contracts: VenueContracts,
  { first, market }: Readonly<{ first: string | undefined; market: ChainMarket }>,
): Promise<LoggedMembers> {
  const filter = { first, engines: [market.engine], market: market.number }
  const trades: LoggedMembers = new Map()
  for await (const { event, log, id, placed } of readExchanges(view, contracts, filter)) {
    if (event.type !== 'Filled' || (first !== undefined && id < first)) continue
    trades.set(id, {
      trade_id: id,
      side: takerBuys(event, placed) ? 'buy' : 'sell',
      price: priceText(market, event.tick),
      amount: amountText(market, event.lots),
      tx_hash: log.txHash,
    })
  }
  return trades
}
