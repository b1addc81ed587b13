// GET /api/clob/info: describes the order books and their endpoints. Interface 4.7.
import { ClobInfo } from '@openvenue/wire/pools'
import { answer, answers } from '../http/answer.ts'
import { cachedBody } from '../http/cached-body.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

const DESCRIPTION =
  'Central limit order books that match in contracts on an EVM chain, and the AMM pools beside them.'
const ENDPOINTS: ClobInfo['endpoints'] = {
  earnMarkets: '/api/markets/earn-markets',
  newMarkets: '/api/markets/new-markets',
  pool: '/api/clob/pools/{poolId}',
  info: '/api/clob/info',
  openapi: '/openapi.json',
  docs: '/docs',
}

type InfoParts = 'model' | 'options' | 'settings'

export const clobInfoRoutes: Routes<InfoParts> = (host, deps) => {
  const { model } = deps
  const read = cachedBody(
    () => `${model.versions.listing} ${model.versions.poolListing}`,
    () => buildInfo(deps),
  )
  const summary = 'The order books and the endpoints of this host'
  host.get(
    '/api/clob/info',
    { schema: { tags: TAGS.clob, summary, response: answers(ClobInfo) } },
    (request, reply) => answer(request, reply, { read, head: () => model.head }),
  )
}

function buildInfo({ model, options, settings }: Parts<InfoParts>): ClobInfo {
  return {
    name: 'openvenue',
    version: options.version,
    description: DESCRIPTION,
    chain: options.environment,
    chainId: settings.chainId,
    trading: settings.trading,
    features: listFeatures(model),
    endpoints: ENDPOINTS,
  }
}

function listFeatures(model: VenueModel): ClobInfo['features'] {
  const types = new Set([...model.markets].map(({ market }) => market.type))
  const versions = new Set([...model.pools].map(({ version }) => version))
  return {
    spot: types.has('SPOT'),
    perpetual: types.has('PERPETUAL'),
    amm: versions.has(2),
    clmm: versions.has(3),
    onChainMatching: true,
    nonCustodial: true,
  }
}
