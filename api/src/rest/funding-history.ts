// Settled funding hours, in two forms. Interface 2.5 and 4.2.
import type { Settlement } from '@openvenue/core/records'
import type { BlockRead } from '@openvenue/store/db/block-read'
import type { Static } from '@openvenue/wire/field'
import {
  encodeSettlement,
  FUNDING_HISTORY_LIMIT_DEFAULT,
  FundingHistory,
  FundingHistoryQuery,
  FundingHistoryRange,
  FundingPath,
  parseTimeNs,
} from '@openvenue/wire/funding'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer, answerOnce, answers, READS_HISTORY } from '../http/answer.ts'
import { cachedBody, jsonBytes } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { historyUnavailable } from '../http/refusals.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

type SettlementParts = 'model' | 'reader' | 'fresh'

export const fundingHistoryRoutes: Routes<SettlementParts> = (host, deps) => {
  const tags = TAGS.funding
  const summary = 'Settled funding hours: the newest of the range, oldest first'
  const response = answers(FundingHistory)
  const config = { weight: HEAVY_WEIGHT, ...READS_HISTORY }
  host.get(
    '/funding-history/:instrument_name',
    {
      config,
      schema: { tags, summary, params: FundingPath, querystring: FundingHistoryRange, response },
    },
    (request, reply) => {
      const { instrument_name } = request.params
      return answerHistory(deps, request, reply, { ...request.query, instrument_name })
    },
  )
  host.get(
    '/funding-history',
    { config, schema: { tags, summary, querystring: FundingHistoryQuery, response } },
    (request, reply) => answerHistory(deps, request, reply, request.query),
  )
}

type FundingQuery = Static<typeof FundingHistoryQuery>
type FundingRange = Readonly<{ fromSeconds: number; toSeconds: number; limit: number }>

/** Answers from memory when it holds the whole answer, else from the database. */
async function answerHistory(
  deps: Parts<SettlementParts>,
  request: FastifyRequest,
  reply: FastifyReply,
  query: FundingQuery,
): Promise<FastifyReply> {
  const { model } = deps
  const live = model.market(query.instrument_name)
  const range = parseRange(query)
  const head = () => model.head
  if (live?.market.type !== 'PERPETUAL')
    return answer(request, reply, { head, read: () => NO_HISTORY })
  if (!isInMemory(live, range)) return answerFromStore(deps, reply, live, range)
  return answer(request, reply, {
    head,
    read: cachedBody(
      () => live.versions.settlements,
      () => encodeHistory(live, rowsFromMemory(live, range)),
    ),
  })
}

const encodeHistory = ({ market }: LiveMarket, rows: readonly Settlement[]) => ({
  funding_history: rows.map((row) => encodeSettlement(market, row)),
})
const NO_HISTORY = jsonBytes({ funding_history: [] })

const NS_PER_S = 1_000_000_000n

/** Both bounds are inclusive; settlements happen at whole seconds. */
function parseRange({
  start_time,
  end_time,
  limit = FUNDING_HISTORY_LIMIT_DEFAULT,
}: FundingQuery): FundingRange {
  const startNs = start_time === undefined ? 0n : parseTimeNs(start_time)
  return {
    fromSeconds: Number((startNs + NS_PER_S - 1n) / NS_PER_S),
    toSeconds: end_time === undefined ? END_OF_TIME_S : Number(parseTimeNs(end_time) / NS_PER_S),
    limit,
  }
}

/** Beyond the largest time that 20 digits of nanoseconds can express. */
const END_OF_TIME_S = 1e12

function isInMemory(live: LiveMarket, range: FundingRange): boolean {
  const oldest = live.settlements[0]
  if (live.hasAllSettlements || oldest === undefined || range.fromSeconds >= oldest.seconds)
    return true
  return rowsFromMemory(live, range).length === range.limit
}

const rowsFromMemory = (
  { settlements }: LiveMarket,
  { fromSeconds, toSeconds, limit }: FundingRange,
) =>
  settlements.filter(({ seconds }) => seconds >= fromSeconds && seconds <= toSeconds).slice(-limit)

/**
 * Answers with older rows from the database before those in memory. The rows in memory and their
 * block are taken before the await, so the whole answer is of that block.
 */
async function answerFromStore(
  { model, reader, fresh }: Parts<SettlementParts>,
  reply: FastifyReply,
  live: LiveMarket,
  range: FundingRange,
): Promise<FastifyReply> {
  const { head } = model
  const newer = rowsFromMemory(live, range)
  const oldest = live.settlements[0]?.seconds ?? Number.POSITIVE_INFINITY
  const query = {
    market: live.market.id,
    fromSeconds: range.fromSeconds,
    toSeconds: Math.min(range.toSeconds, oldest - 1),
    limit: range.limit - newer.length,
  }
  // Hours are final, so they are the same in every view that is newer than their end.
  const isEnough = ({ head }: BlockRead<unknown>) => (head?.seconds ?? 0) > query.toSeconds
  const { rows: older } = await fresh
    .read((from) => reader.settlements(query, from), isEnough)
    .catch((cause: unknown) => {
      throw historyUnavailable(cause)
    })
  return answerOnce(reply, jsonBytes(encodeHistory(live, [...older, ...newer])), head)
}
