// Resolves the market part of a channel name: one market, those of an asset, or one type of them.
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Subject } from '../streams/channel.ts'

export type MarketSet = Readonly<{
  subject: Subject
  has: (live: LiveMarket) => boolean
}>

/** `<name>` or `<asset>`: all of the asset's markets. */
export function marketsNamed(model: VenueModel, text: string): MarketSet | undefined {
  const live = model.market(text)
  if (live !== undefined) return marketOnly(live)
  const has = ({ market }: LiveMarket) => market.asset === text
  return [...model.markets].some(has) ? { subject: { kind: 'asset', asset: text }, has } : undefined
}

/** `<name>` or `<asset>:<TYPE>`. */
export function marketsTyped(model: VenueModel, text: string): MarketSet | undefined {
  const live = model.market(text)
  if (live !== undefined) return marketOnly(live)
  const [asset = '', type = '', ...more] = text.split(':')
  const has = ({ market }: LiveMarket) => market.asset === asset && market.type === type
  if (more.length > 0 || ![...model.markets].some(has)) return undefined
  return { subject: { kind: 'asset', asset }, has }
}

const marketOnly = ({ market: { id } }: LiveMarket): MarketSet => ({
  subject: { kind: 'market', id },
  has: ({ market }) => market.id === id,
})
