// Says how busy the traders of a devnet are, by the words of TRADERS.
import { MARKETS, type MarketTerms } from './markets.ts'

export type Pace = Readonly<{
  /** Pause between looks of the traders. */
  lookMs: number
  /** Markets of one look; the next look goes on with those after them. */
  marketsPerLook: number
  /** What happens for no reason at a look at a market: so many orders that trade, … */
  takes: number
  /** … each of them so many times smaller than a quote. Absent: as large. */
  takeParts?: number
  /** … or else so many quotes that change their amount. Both come up equally often. */
  edits: number
  /** Pause between looks at the pools. */
  poolMs: number
  /** Names of the only markets that are looked at. Absent: all. */
  only?: readonly string[]
}>

export const PACES = {
  /** Every market is looked at every six seconds: some three orders a second in all. */
  calm: { lookMs: 1_000, marketsPerLook: 1, takes: 1, edits: 0, poolMs: 5_000 },
  /** Every book changes at least once a second and trades every two: nine orders a second. */
  on: { lookMs: 800, marketsPerLook: MARKETS.length, takes: 1, edits: 1, poolMs: 5_000 },
  /** A hundred orders a second, of which half trade. */
  storm: { lookMs: 250, marketsPerLook: MARKETS.length, takes: 4, edits: 4, poolMs: 1_000 },
} as const satisfies Record<string, Pace>

/** What TRADERS may be, the default first. */
export const TRADERS_CHOICES = ['on', 'off', 'calm', 'storm'] as const

/** Returns the pace of a choice; undefined when nobody trades. */
export const paceOf = (choice: (typeof TRADERS_CHOICES)[number]): Pace | undefined =>
  choice === 'off' ? undefined : PACES[choice]

/** Returns the markets of a look: those after the ones of the look before. */
export function marketsAt(look: number, { marketsPerLook, only }: Pace): MarketTerms[] {
  const markets = MARKETS.filter(({ name }) => only?.includes(name) ?? true)
  return Array.from({ length: marketsPerLook }, (_, index) => {
    const at = (look * marketsPerLook + index) % markets.length
    return markets[at] as MarketTerms
  })
}
