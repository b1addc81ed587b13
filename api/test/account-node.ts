// A node with a key for each account of a scenario: for tests.
import type { ScenarioListing } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Store } from '@openvenue/store/store'
import type { EthCall } from '../src/identity/eth-call.ts'
import type { AccountDeps } from '../src/node/account-deps.ts'
import { ACCOUNT_SETTINGS, type AccountSettings } from '../src/node/account-settings.ts'
import type { ApiHostDeps } from '../src/node/api-host.ts'
import { readOf } from './block-reads.ts'
import { type IssuedKey, issueKey } from './keyed.ts'
import { type Answer, BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from './scenario-node.ts'

export type AccountNode = ScenarioNode &
  Readonly<{
    /** Sends a request with the key of an account in the scenario. */
    as: (who: string, url: string) => Promise<Answer>
    /** Lower case. */
    walletOf: (who: string) => string
    /** Lets the node follow the blocks that the scenario has published since. */
    follow: () => void
  }>

export type AccountNodeOptions = Readonly<{
  call?: EthCall
  settings?: Partial<AccountSettings>
  intents?: Partial<AccountDeps['intents']>
  /** The history does not answer. */
  isHistoryBroken?: boolean
  /** Other parts of the host. */
  deps?: Partial<ApiHostDeps>
}>

/** A database with keys only: it knows no wallet of the chain, and is never behind the node. */
const withoutBlocks = (history: AccountHistory): AccountHistory => ({
  ...history,
  accountNumber: async (wallet) => readOf((await history.accountNumber(wallet)).rows),
  readWallets: async (accounts) => readOf((await history.readWallets(accounts)).rows),
})

/**
 * Returns a node that has followed `scenario` from the first block on. Keys are kept in `store`,
 * which the caller closes and which holds no block.
 */
export async function accountNode(
  store: Store,
  scenario: Scenario,
  { call, settings = {}, intents, isHistoryBroken = false, deps = {} }: AccountNodeOptions = {},
): Promise<AccountNode> {
  const accounts: AccountDeps = {
    ...BROKEN_ACCOUNTS,
    identity: store.identity,
    keyRelays: store.keyRelays,
    ...(isHistoryBroken ? {} : { safeguards: store.safeguards }),
    ...(isHistoryBroken ? {} : { history: withoutBlocks(store.history) }),
    ...(call === undefined ? {} : { call }),
    ...(intents === undefined ? {} : { intents: { ...BROKEN_ACCOUNTS.intents, ...intents } }),
    settings: { ...ACCOUNT_SETTINGS, accountCacheMs: 0, ...settings },
  }
  const venue = await scenarioNode([], undefined, { accounts, ...deps })
  const keys = new Map<string, Promise<IssuedKey>>()
  let applied = 0
  const walletOf = (who: string) => `0x${scenario.accountOf(who).toString(16).padStart(40, 'c')}`
  const follow = () => {
    const blocks = scenario.blocks()
    venue.applyBlocks(blocks.slice(applied))
    applied = blocks.length
    venue.setNow(blocks.at(-1)?.header.seconds ?? 0)
  }
  follow()
  return {
    ...venue,
    walletOf,
    follow,
    as: async (who, url) => {
      const issued = keys.get(who) ?? issueKey(store, walletOf(who), KEY_FROM_MS, KEY_LIFE_MS)
      keys.set(who, issued)
      const { headers } = await issued
      const answer = await venue.host.inject({ url, headers })
      const { statusCode: status, body: text } = answer
      return { status, text, headers: answer.headers, body: JSON.parse(text) }
    },
  }
}

/** Removes mark and index of a perpetual from a node, which no event of the chain can do. */
export function forgetPrices({ model }: AccountNode, { id, asset }: ScenarioListing): void {
  const { mark, indexPrice } = model.state.records
  for (const [prices, of] of [
    [mark, id],
    [indexPrice, asset],
  ] as const)
    (prices as Map<string, unknown>).delete(of)
}

/** Runs `act` on a node that has followed `scenario`, and closes it. */
export async function withAccountNode<T>(
  store: Store,
  scenario: Scenario,
  act: (venue: AccountNode) => Promise<T>,
): Promise<T> {
  const venue = await accountNode(store, scenario)
  try {
    return await act(venue)
  } finally {
    await venue.close()
  }
}

/** Keys are valid from before every scenario until long after. */
const KEY_FROM_MS = 0
const KEY_LIFE_MS = 4_000_000_000_000
