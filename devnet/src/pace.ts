// Activity levels of the devnet's traders, by the values of TRADERS.
import { MARKETS, type MarketTerms } from './markets.ts'

export type Pace = Readonly<{
  /** Pause between rounds of the traders. */
  lookMs: number
  /** Markets per round; the next round continues after them. */
  marketsPerLook: number
  /** Random market orders per market and round, … */
  takes: number
  /** … each a fraction of a quote. Absent: of equal size. */
  takeParts?: number
  /** … or random changes of quotes, equally often. */
  edits: number
  /** Pause between rounds at the pools. */
  poolMs: number
  /** Names of the only traded markets. Absent: all. */
  only?: readonly string[]
}>

export const PACES = {
  /** Every market is traded every six seconds: some three orders a second in total. */
  calm: { lookMs: 1_000, marketsPerLook: 1, takes: 1, edits: 0, poolMs: 5_000 },
  /** Every book changes at least once a second and trades every two: nine orders a second. */
  on: { lookMs: 800, marketsPerLook: MARKETS.length, takes: 1, edits: 1, poolMs: 5_000 },
  /** A hundred orders a second, of which half trade. */
  storm: { lookMs: 250, marketsPerLook: MARKETS.length, takes: 4, edits: 4, poolMs: 1_000 },
} as const satisfies Record<string, Pace>

/** Values of TRADERS, the default first. */
export const TRADERS_CHOICES = ['on', 'off', 'calm', 'storm'] as const

/** Returns the pace of a choice; undefined without trading. */
export const paceOf = (choice: (typeof TRADERS_CHOICES)[number]): Pace | undefined =>
  choice === 'off' ? undefined : PACES[choice]

/** Returns the markets of a round, after those of the previous one. */
export function marketsAt(look: number, { marketsPerLook, only }: Pace): MarketTerms[] {
  const markets = MARKETS.filter(({ name }) => only?.includes(name) ?? true)
  return Array.from({ length: marketsPerLook }, (_, index) => {
    const at = (look * marketsPerLook + index) % markets.length
    return markets[at] as MarketTerms
  })
}
