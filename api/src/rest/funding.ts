// Current funding of a perpetual, in two forms. Interface 2.5 and 4.2.
import { CurrentFunding, encodeFunding, FundingPath, FundingQuery } from '@openvenue/wire/funding'
import { answer, answers, LIVE } from '../http/answer.ts'
import { boundedPer, cachedBody } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import { clockHour } from '../model/facts.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

export const fundingRoutes: Routes<'model' | 'clock'> = (host, deps) => {
  const fundingSource = currentSources(deps)
  const tags = TAGS.funding
  const summary = 'Current funding of a perpetual'
  const response = answers(CurrentFunding)
  host.get(
    '/funding/:instrument_name',
    { config: LIVE, schema: { tags, summary, params: FundingPath, response } },
    (request, reply) => answer(request, reply, fundingSource(request.params.instrument_name)),
  )
  host.get(
    '/funding',
    { config: LIVE, schema: { tags, summary, querystring: FundingQuery, response } },
    (request, reply) => answer(request, reply, fundingSource(request.query.instrument_name)),
  )
}

/** Returns a function that gives the funding of a perpetual; of anything else the rate is "0". */
function currentSources({ model, clock }: Parts<'model' | 'clock'>) {
  const head = () => model.head
  const now = () => Math.floor(clock.nowMs() / 1000)
  const hour = () => clockHour(clock.nowMs())
  const fundingSource = boundedPer(1, ({ market, versions }: LiveMarket) => ({
    head,
    read: cachedBody(
      () => `${versions.facts} ${hour()}`,
      () => encodeFunding(model.funding(market.id), now()),
    ),
  }))
  const none: BodySource = { head, read: cachedBody(hour, () => encodeFunding(undefined, now())) }
  return (name: string): BodySource => {
    const live = model.market(name)
    return live?.market.type === 'PERPETUAL' ? fundingSource(live, '') : none
  }
}
