// A server over a story in an own database, asked with the keys of the story's accounts: for tests.
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import type { Story } from '@openvenue/core/story/story'
import { applyBlock } from '@openvenue/core/venue'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import type { AppDeps } from '../app.ts'
import { type IssuedKey, issueKey } from './keyed.ts'
import { type Answer, type StoryApp, storyApp } from './story-app.ts'

export type HistoryApp = Readonly<{
  node: StoryApp
  store: Store
  /** Asks as the account of that name in the story; its key is issued at the first request. */
  ask: (who: string, url: string) => Promise<Answer>
  /** Commits what the story told since, and lets the node follow. */
  grow: () => Promise<void>
  /** Takes the last block of `grow` back. */
  shrink: () => Promise<void>
  walletOf: (who: string) => string
  close: () => Promise<void>
}>

/** Returns a server that has followed `story`. */
export async function historyApp(
  story: Story,
  overrides: (store: Store) => Partial<AppDeps> = () => ({}),
): Promise<HistoryApp> {
  const store = await openStore({})
  let told = story.blocks()
  const node = await storyApp(told, store, overrides(store))
  const state = emptyState()
  for (const block of told) applyBlock(state, block)
  const keys = new Map<string, IssuedKey>()
  const walletOf = (who: string) => `0x${story.accountOf(who).toString(16).padStart(40, 'c')}`
  const keyOf = async (who: string) => {
    const nowMs = (told.at(-1)?.header.seconds ?? 0) * 1000
    const key = keys.get(who) ?? (await issueKey(store, walletOf(who), nowMs))
    keys.set(who, key)
    return key
  }
  const follow = async (blocks: readonly VenueBlock[]) => {
    await store.writer.commit(
      blocks.map((block) => applyBlock(state, block)),
      0,
    )
    node.tell(blocks)
  }
  return {
    node,
    store,
    walletOf,
    ask: async (who, url) => {
      const { headers } = await keyOf(who)
      const answer = await node.app.inject({ url, headers })
      const { statusCode: status, body: text } = answer
      return { status, text, headers: answer.headers, body: JSON.parse(text) }
    },
    grow: async () => {
      const blocks = story.blocks()
      const more = blocks.slice(told.length)
      told = blocks
      await follow(more)
    },
    shrink: async () => {
      await store.writer.undoTo(told.length - 1)
      node.untell()
    },
    close: async () => {
      await node.close()
      await store.close()
    },
  }
}
