// Index prices and the tokens behind them. Interface 2.6 and 4.2.
import {
  Assets,
  encodeAsset,
  encodeIndexPrice,
  IndexPath,
  IndexPrices,
  IndexQuery,
} from '@openvenue/wire/index-prices'
import { answer, answers, LIVE } from '../http/answer.ts'
import { bounded, cachedBody } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { MARKETS_MAX_AGE_S } from './markets.ts'
import { type Routes, TAGS } from './route.ts'

/** Assets kept, unknown ones included. */
const ASSETS_MAX = 256

export const indexPriceRoutes: Routes<'model'> = (host, { model }) => {
  const tags = TAGS.index
  const response = answers(IndexPrices)
  const bySymbol = bounded(ASSETS_MAX, (symbol) => oneSource(model, symbol))
  const all = tokensSource(model)
  host.get(
    '/index/:asset',
    {
      config: LIVE,
      schema: { tags, summary: 'Index price of an asset', params: IndexPath, response },
    },
    (request, reply) => answer(request, reply, bySymbol(request.params.asset.toUpperCase())),
  )
  host.get(
    '/index',
    {
      config: LIVE,
      schema: { tags, summary: 'Index prices of all tokens', querystring: IndexQuery, response },
    },
    (request, reply) => {
      const { asset } = request.query
      return answer(request, reply, asset === undefined ? all : bySymbol(asset.toUpperCase()))
    },
  )
  host.get(
    '/assets',
    { schema: { tags, summary: 'Tokens', response: answers(Assets) } },
    (request, reply) => answer(request, reply, assets),
  )
  const assets: BodySource = {
    head: () => model.head,
    maxAgeSeconds: () => MARKETS_MAX_AGE_S,
    read: cachedBody(
      () => model.versions.tokens,
      () => listTokens(model).map(encodeAsset),
    ),
  }
}

const oneSource = (model: VenueModel, upperSymbol: string): BodySource => ({
  head: () => model.head,
  read: cachedBody(
    () => `${model.versions.indexPrices} ${model.versions.tokens} ${model.versions.markets}`,
    () => {
      const symbol = knownSymbol(model, upperSymbol)
      return [encodeIndexPrice(symbol ?? upperSymbol, model.indexPrice(symbol ?? ''), !!symbol)]
    },
  ),
})

/** Returns the asset's symbol in the venue's spelling. */
export function knownSymbol(model: VenueModel, upperSymbol: string): string | undefined {
  const isIt = (symbol: string) => symbol.toUpperCase() === upperSymbol
  for (const { symbol } of model.tokens) if (isIt(symbol)) return symbol
  for (const { market } of model.markets) if (isIt(market.asset)) return market.asset
  for (const symbol of model.state.records.indexPrice.keys()) if (isIt(symbol)) return symbol
  return undefined
}

const tokensSource = (model: VenueModel): BodySource => ({
  head: () => model.head,
  read: cachedBody(
    () => `${model.versions.indexPrices} ${model.versions.tokens}`,
    () => {
      const symbols = new Set(listTokens(model).map(({ symbol }) => symbol))
      return [...symbols].map((symbol) => encodeIndexPrice(symbol, model.indexPrice(symbol), true))
    },
  ),
})

const listTokens = (model: VenueModel) =>
  [...model.tokens].sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0))
