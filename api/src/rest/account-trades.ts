// An account's fills, or its funding in the same form. Interface 2.10 and 4.4.
import type { Header } from '@openvenue/core/events'
import type { FundingPayment } from '@openvenue/core/records'
import type { HistoryFilter } from '@openvenue/store/history/account-history'
import {
  encodeFill,
  encodeFundingPayment,
  FillsAnswer,
  FillsQuery,
  parseTradeTypes,
  TRADE_TYPES,
  type TradeType,
} from '@openvenue/wire/fills'
import { PAGE_LIMIT_DEFAULT } from '@openvenue/wire/pagination'
import type { FastifyReply } from 'fastify'
import { filterMarkets } from '../account/account-filter.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { orUnavailable, Refusal } from '../http/refusals.ts'
import { mismatchText } from '../http/validation.ts'
import { type AccountRequest, accountGet } from './account-route.ts'
import { type HistoryParts, historyPages } from './history-page.ts'
import type { Parts, Routes } from './route.ts'

/** Interface 8: the funding view reads only the most recent events. */
const FUNDING_EVENTS_MAX = 500

export const accountTradeRoutes: Routes<HistoryParts | 'authenticate'> = (host, deps) => {
  const fills = historyPages(deps, {
    kind: 'fill',
    member: 'trade_history',
    encode: encodeFill,
    encodePayment: encodeFundingPayment,
  })
  accountGet(
    host,
    deps,
    {
      path: '/trade-history',
      below: '/trade-history',
      summary: 'Fills of the account, its funding, or both in one list',
      query: FillsQuery,
      body: FillsAnswer,
      ignores: ({ trade_types }) =>
        isFunding(parseTradeTypes(String(trade_types))) ? NOT_OF_FUNDING : [],
    },
    async (request) => {
      const { caller, query, reply } = request
      const types = tradeTypesOr400(query.trade_types)
      if (isFunding(types)) return answerFunding(deps, request)
      const { print: also, isNothing, rows } = chooseRows(types)
      return fills({ account: caller.account, query, reply, also, isNothing, ...rows })
    },
  )
}

/** The selected rows, and their print for cursors. */
type RowChoice = Readonly<{
  print: readonly boolean[]
  isNothing: boolean
  rows: Pick<HistoryFilter, 'fills' | 'hasFunding'>
}>

function chooseRows(types: ReadonlySet<TradeType>): RowChoice {
  const hasTrades = types.has('trade')
  const hasForced = types.has('liquidation')
  const hasFunding = types.has('funding')
  const oneSet = hasTrades ? 'trades' : 'forced'
  const noneOrAll = hasTrades ? undefined : 'none'
  return {
    print: [hasTrades, hasForced, hasFunding],
    // Settlement selects nothing, because no market settles.
    isNothing: !hasTrades && !hasForced && !hasFunding,
    rows: { fills: hasTrades === hasForced ? noneOrAll : oneSet, hasFunding },
  }
}

/** Returns the fills that `trade_types` names; refuses funding, which has no fills. */
export function fillSetOr400(text: string | undefined): RowChoice {
  const types = tradeTypesOr400(text)
  if (!types.has('funding')) return chooseRows(types)
  const message = `trade_types is invalid: got ${text}, expected trade or liquidation; funding is in /trade-history`
  const detail = { field: 'trade_types', code: 'INVALID_PARAMETER', message } as const
  const allowed = TRADE_TYPES.filter((type) => type !== 'funding')
  throw new Refusal('INVALID_PARAMETER', { message, details: [{ ...detail, allowed }] })
}

/** Interface 4.4: the funding view ignores time, sort and cursor. */
const NOT_OF_FUNDING = ['start_time', 'end_time', 'sort_order', 'cursor', 'direction'] as const

const isFunding = (types: ReadonlySet<TradeType> | undefined) =>
  types?.size === 1 && types.has('funding')

const TYPES_RULE = `comma-separated types of ${TRADE_TYPES.join(', ')}`
const ALL_FILLS: ReadonlySet<TradeType> = new Set(['trade', 'liquidation'])

function tradeTypesOr400(text: string | undefined): ReadonlySet<TradeType> {
  const types = text === undefined ? ALL_FILLS : parseTradeTypes(text)
  if (types !== undefined) return types
  const message = `trade_types is invalid: ${mismatchText(TYPES_RULE, text)}`
  const detail = { field: 'trade_types', code: 'INVALID_PARAMETER', message } as const
  throw new Refusal('INVALID_PARAMETER', {
    message,
    details: [{ ...detail, allowed: TRADE_TYPES }],
  })
}

type FundingParts = Parts<'model' | 'history' | 'wallets' | 'fresh'>

/** Newest first; ignores time, order and cursor (interface 4.4). */
async function answerFunding(
  deps: FundingParts,
  { caller, query, reply }: AccountRequest<typeof FillsQuery>,
): Promise<FastifyReply> {
  const { model } = deps
  const { account } = caller
  const { offset = 0, limit = PAGE_LIMIT_DEFAULT } = query
  const markets = new Map(filterMarkets(model, query).map(({ market }) => [market.id, market]))
  const { head, rows: events } = await readFunding(deps, account)
  const items = events.flatMap((payment) => {
    const market = markets.get(payment.market)
    return market === undefined ? [] : [{ market, payment }]
  })
  const body = {
    trade_history: items
      .slice(offset, offset + limit)
      .map(({ market, payment }) => encodeFundingPayment(market, payment, account)),
    count: String(items.length),
  }
  return answerOnce(reply, jsonBytes(body), head)
}

async function readFunding(
  { model, history, wallets, fresh }: FundingParts,
  account: string,
): Promise<Readonly<{ head: Header | undefined; rows: readonly FundingPayment[] }>> {
  const { head } = model
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return { head, rows: [] }
  return orUnavailable(
    fresh.read((from) => history.fundingPayments(number, FUNDING_EVENTS_MAX, from)),
  )
}
