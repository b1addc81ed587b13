// Index prices and the tokens known to the indexer (interface 2.6).
import type { IndexPrice, Token } from '@openvenue/core/records'
import { fixedText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { nsText } from './decimal.ts'
import { decimal, named, ns, nullable } from './field.ts'

export const IndexPriceItem = named('IndexPrice', {
  asset: Type.String(),
  price: nullable(decimal('"0" for an unknown asset; null when unavailable.')),
  timestamp: nullable(ns('Time at which the oracle accepted the price; null when there is none.')),
})
export type IndexPriceItem = Static<typeof IndexPriceItem>
export const IndexPrices = Type.Array(IndexPriceItem, { description: 'One item per asset.' })

const asset = Type.String({ description: 'Symbol of an asset, case-insensitive.' })
export const IndexPath = Type.Object({ asset })
export const IndexQuery = Type.Object({ asset: Type.Optional(asset) })

const AssetItem = named('Asset', {
  asset_id: Type.String({ description: 'Address of the token.' }),
  asset_name: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer({ minimum: 0 }),
})
type AssetItem = Static<typeof AssetItem>
export const Assets = Type.Array(AssetItem, { description: 'Tokens known to the indexer.' })

/** Returns the index price of `asset`: null when unavailable, "0" for an unknown asset. */
export const encodeIndexPrice = (
  asset: string,
  index: IndexPrice | undefined,
  isKnown: boolean,
): IndexPriceItem => ({
  asset,
  price: index === undefined ? (isKnown ? null : '0') : fixedText(index.price),
  timestamp: index === undefined ? null : nsText(index.seconds),
})

/** Returns a token as an asset. */
export const encodeAsset = (token: Token): AssetItem => ({
  asset_id: token.address,
  asset_name: token.name,
  symbol: token.symbol,
  address: token.address,
  decimals: token.decimals,
})
