// Says what is not as it should be: in words and with a sign, above everything that it concerns.
import { For, Show } from 'solid-js'
import type { Shown } from '../worker/protocol.ts'

export type BannerFacts = Readonly<{
  shown: Pick<Shown, 'connection' | 'network' | 'market' | 'problem'>
  isActive: boolean
  isFrozen: boolean
}>

export function StateBanner(props: BannerFacts) {
  return (
    <div class="banners">
      <div role="status">
        <For each={warningsOf(props)}>{(text) => <p class="banner">▲ {text}</p>}</For>
      </div>
      <Show when={props.shown.problem}>
        <p class="problem" role="alert">
          {props.shown.problem}
        </p>
      </Show>
    </div>
  )
}

const CONNECTION = {
  connecting: '',
  resync: '',
  open: '',
  stale: 'Nothing new has come for a while: prices may be old.',
  lost: 'The connection is lost. What is shown is as it was; connecting again.',
  down: 'The venue does not answer. What is shown is old. Orders that rest are on the chain and stay there; this page goes on by itself once the venue answers.',
} as const

function warningsOf({ shown, isActive, isFrozen }: BannerFacts): readonly string[] {
  const { connection, network, market } = shown
  const warnings = [
    CONNECTION[connection],
    network.trading === 'coming_soon' && 'Trading is not live on this network yet: look around.',
    network.trading === 'cancel_only' && 'Maintenance: orders can be cancelled, none is taken.',
    !isActive && `${market} is halted: no new orders are taken, those that rest can be cancelled.`,
    isFrozen && 'The numbers are frozen: they are as they were. Unfreeze them before you trade.',
  ]
  return warnings.filter((text): text is string => text !== false && text !== '')
}
