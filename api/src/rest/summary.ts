// GET /markets-summary. Interface 2.6 and 4.2.
import { encodeSummary, MarketsSummary } from '@openvenue/wire/summary'
import { answer, answers, LIVE } from '../http/answer.ts'
import { cachedBody } from '../http/cached-body.ts'
import { clockHour, gatherFacts } from '../model/facts.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

export const summaryRoutes: Routes<'model' | 'clock'> = (host, deps) => {
  const { model, clock } = deps
  const source = {
    head: () => model.head,
    read: cachedBody(
      () => `${model.versions.facts} ${clockHour(clock.nowMs())}`,
      () => ({ summaries: buildSummaries(deps) }),
    ),
  }
  host.get(
    '/markets-summary',
    {
      config: LIVE,
      schema: {
        tags: TAGS.markets,
        summary: 'Every asset with its markets',
        response: answers(MarketsSummary),
      },
    },
    (request, reply) => answer(request, reply, source),
  )
}

/** One summary for each asset with a market, in order of listing. */
function buildSummaries({ model, clock }: Parts<'model' | 'clock'>) {
  const nowMs = clock.nowMs()
  const byAsset = Map.groupBy(model.markets, ({ market }) => market.asset)
  return [...byAsset].map(([asset, markets]) => {
    const facts = (live: LiveMarket | undefined) => live && gatherFacts(model, live, nowMs)
    const spot = spotMarket(asset, markets)
    const perpetual = markets.findLast(({ market }) => market.type === 'PERPETUAL')
    return encodeSummary(asset, facts(spot), facts(perpetual))
  })
}

/**
 * The market against USDC comes first, as in the statistics of an asset. The most recently listed
 * of several with one name counts.
 */
const spotMarket = (asset: string, markets: readonly LiveMarket[]) =>
  markets.findLast(({ market }) => market.name === `${asset}-USDC`) ??
  markets.findLast(({ market }) => market.type === 'SPOT')
