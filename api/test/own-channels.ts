// Opens channels of one account over a scenario of its own, whose blocks the node follows: for
// tests.
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { Overviews } from '../src/account/overview.ts'
import { OwnedReads } from '../src/account/owned-reads.ts'
import { Wallets } from '../src/account/wallets.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { freshReads, readOf } from './block-reads.ts'
import { channelNode, ScenarioFeed, walletOf } from './channel-node.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from './scenario-node.ts'

/** A node on which only alice of `scenario` is known. `follow` takes the blocks that are new. */
export function ownChannels(
  scenario: Scenario,
  settings: Readonly<{ accountCacheMs: number }> = BROKEN_ACCOUNTS.settings,
) {
  const feed = new ScenarioFeed()
  const model = new VenueModel()
  const history = {
    ...BROKEN_ACCOUNTS.history,
    accountNumber: async () => readOf(scenario.accountOf('alice')),
  }
  const wallets = new Wallets({ model, history, fresh: freshReads(model) })
  const clock = { monotonicMs: () => node.monotonicMs() }
  const owned = new OwnedReads({ model, reader: BROKEN_READER })
  const overviews = new Overviews({ model, settings, wallets, owned, clock })
  const nowSeconds = scenario.seconds
  const node = channelNode(feed, { model, wallets, overviews, history, nowSeconds })
  let count = 0
  const follow = () => {
    const blocks = scenario.blocks()
    feed.applyBlocks(blocks.slice(count))
    count = blocks.length
    node.follow()
  }
  follow()
  return { feed, node, follow, wallet: walletOf(scenario, 'alice') }
}
