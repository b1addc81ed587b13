// A server over a scenario in its own database, with a key for each account: for tests.
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { type IssuedKey, issueKey } from './keyed.ts'
import { type Answer, BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from './scenario-node.ts'

export type HistoryNode = Readonly<{
  node: ScenarioNode
  store: Store
  /**
   * Sends a request as the account with that name; its key is issued at the first request. `also`:
   * headers.
   */
  ask: (who: string, url: string, also?: Readonly<Record<string, string>>) => Promise<Answer>
  /** Commits what the scenario published since, and lets the node follow. */
  grow: () => Promise<void>
  /** Takes the last block of `grow` back. */
  shrink: () => Promise<void>
  walletOf: (who: string) => string
  /** Reads of history that fail while they are in this set. */
  away: Set<keyof AccountHistory>
  /** The calls of the history so far. */
  calls: readonly Call[]
  close: () => Promise<void>
}>

type Call = Readonly<{ name: keyof AccountHistory; args: readonly unknown[] }>

/** Returns a node that has followed `scenario`. */
export async function historyNode(scenario: Scenario): Promise<HistoryNode> {
  const store = await openMemoryStore()
  const { identity } = store
  let known = scenario.blocks()
  const away = new Set<keyof AccountHistory>()
  const calls: Call[] = []
  const history = watched(store.history, (call) => {
    calls.push(call)
    return away.has(call.name)
  })
  const accounts = { ...BROKEN_ACCOUNTS, identity, history }
  const node = await scenarioNode(known, store, { accounts })
  const state = emptyState()
  for (const block of known) applyBlock(state, block)
  const keys = new Map<string, IssuedKey>()
  const walletOf = (who: string) => `0x${scenario.accountOf(who).toString(16).padStart(40, 'c')}`
  const keyOf = async (who: string) => {
    const nowMs = (known.at(-1)?.header.seconds ?? 0) * 1000
    const key = keys.get(who) ?? (await issueKey(store, walletOf(who), nowMs))
    keys.set(who, key)
    return key
  }
  const follow = async (blocks: readonly VenueBlock[]) => {
    await store.writer.commit(
      blocks.map((block) => applyBlock(state, block)),
      0,
    )
    node.applyBlocks(blocks)
  }
  return {
    node,
    store,
    walletOf,
    ask: async (who, url, also = {}) => {
      const { headers } = await keyOf(who)
      const answer = await node.host.inject({ url, headers: { ...headers, ...also } })
      const { statusCode: status, body: text } = answer
      return { status, text, headers: answer.headers, body: JSON.parse(text) }
    },
    grow: async () => {
      const blocks = scenario.blocks()
      const more = blocks.slice(known.length)
      known = blocks
      await follow(more)
    },
    shrink: async () => {
      await store.writer.undoTo(known.length - 1)
      node.undoBlock()
    },
    away,
    calls,
    close: async () => {
      await node.close()
      await store.close()
    },
  }
}

/** Returns `history`, with calls for which `isAway` holds left unanswered. */
function watched(history: AccountHistory, isAway: (call: Call) => boolean): AccountHistory {
  const names = Object.keys(history) as (keyof AccountHistory)[]
  const reads = names.map((name) => {
    const read = history[name] as (...args: readonly unknown[]) => Promise<unknown>
    return [
      name,
      (...args: readonly unknown[]) =>
        isAway({ name, args }) ? Promise.reject(new Error('the database is down')) : read(...args),
    ]
  })
  return Object.fromEntries(reads) as AccountHistory
}
