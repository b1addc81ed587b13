// The venue that the bench serves: every market with a full book, minutes of trades, and settled
// funding hours. It ends at the block whose time the server's clock starts from.
import type { VenueBlock } from '@openvenue/core/events'
import { Chance } from '@openvenue/core/story/chance'
import { LISTINGS, MARKET_NAMES, type MarketName } from '@openvenue/core/story/listing'
import { Story } from '@openvenue/core/story/story'

const MINUTE_SECONDS = 60
const SEED = 7
/** Levels a side, two orders in each. */
const LEVELS = 100
const RICH = 10n ** 9n
const LOTS_MAX = 500

/** Returns the story with trades in each of so many minutes. */
export function benchStory(minutes: number): VenueBlock[] {
  const story = new Story()
  const chance = new Chance(SEED)
  for (const name of MARKET_NAMES) open(story, name)
  story.next()
  for (let minute = 0; minute < minutes; minute++) {
    for (const name of MARKET_NAMES) trade(story, name, chance)
    story.next(MINUTE_SECONDS)
  }
  for (const name of MARKET_NAMES) fillBook(story, name, chance)
  return story.blocks()
}

function open(story: Story, name: MarketName): void {
  const { asset, isPerp, startTick, priceStep } = LISTINGS[name]
  if (isPerp) story.index(asset, BigInt(startTick) * priceStep)
  story.list(name)
  for (const who of ['alice', 'bob']) {
    story.deposit(who, 'USDC', RICH)
    if (!isPerp) story.deposit(who, asset as 'ETH' | 'BTC' | 'EURC', RICH)
  }
}

/** Two to four trades near the start price; perpetuals are poked when they may be. */
function trade(story: Story, name: MarketName, chance: Chance): void {
  const { startTick } = LISTINGS[name]
  story.on(name)
  for (let left = 2 + chance.below(3); left > 0; left--) {
    const tick = startTick + chance.below(200) - 100
    const lots = BigInt(1 + chance.below(LOTS_MAX))
    const [maker, taker] = chance.happens(50)
      ? (['buy', 'sell'] as const)
      : (['sell', 'buy'] as const)
    story.place('alice', maker, tick, lots).place('bob', taker, tick, lots)
  }
  if (story.perps.get(name)?.canPoke(story.seconds)) story.poke()
}

function fillBook(story: Story, name: MarketName, chance: Chance): void {
  const { startTick } = LISTINGS[name]
  story.on(name)
  for (let level = 1; level <= LEVELS; level++)
    for (const who of ['alice', 'bob']) {
      story.place(who, 'buy', startTick - level, BigInt(1 + chance.below(LOTS_MAX)))
      story.place(who, 'sell', startTick + level, BigInt(1 + chance.below(LOTS_MAX)))
    }
}
