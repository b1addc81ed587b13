// Says what is not as it should be: in words and with a sign, above everything that it concerns.
import { For, Show } from 'solid-js'
import { stateBanner, withdrawalsBanner } from '../market/market-state.ts'
import type { MarketRow, Shown } from '../worker/protocol.ts'
import { missingParts } from './later.ts'

export type BannerFacts = Readonly<{
  shown: Pick<Shown, 'connection' | 'chain' | 'network' | 'problem' | 'markets'>
  /** Of the market that is shown; undefined before there is one. */
  row: MarketRow | undefined
  isFrozen: boolean
}>

export function StateBanner(props: BannerFacts) {
  const passing = () => {
    const { chain, connection } = props.shown
    return chain.isOn && connection !== 'resync' ? '' : PASSING[connection]
  }
  return (
    <div class="banners">
      <div role="status">
        <For each={warningsOf(props)}>{(text) => <p class="banner">▲ {text}</p>}</For>
        <Show when={passing()}>{(text) => <p class="banner passing">{text()}</p>}</Show>
      </div>
      <Show when={props.shown.problem}>
        <p class="problem" role="alert">
          {props.shown.problem}
        </p>
      </Show>
    </div>
  )
}

/** What passes by itself is said above the page: nothing moves under somebody's pointer. */
const PASSING = {
  connecting: '… Connecting to the venue',
  resync: '… Connected again: what was missed is on its way',
  open: '',
  stale: '▲ Nothing new has come for a while: prices may be old',
  lost: '▲ The connection is lost: what is shown is as it was. Connecting again',
  down: '',
} as const

const AWAY =
  'The venue does not answer. What is shown is old. Orders that rest are on the chain and stay there; this page goes on by itself once the venue answers.'
/** What goes on without the API, and what does not. */
const ON_CHAIN =
  'The venue does not answer: this page goes on by the chain alone. Book, orders, positions and money are read from its contracts; your wallet itself can cancel, close and withdraw. No new orders, candles, trades or histories until the venue is back.'
const PART_MISSING =
  'A part of this page could not be loaded; trying again. If the venue has a new version by now, reload the page.'
const CHAIN_OLD =
  'The node of the chain says nothing new: what is shown is of the block that is named.'

function warningsOf({ shown, row, isFrozen }: BannerFacts): readonly string[] {
  const { connection, chain, network, markets } = shown
  const warnings = [
    chain.isOn && ON_CHAIN,
    connection === 'down' && !chain.isOn && AWAY,
    chain.isOn && chain.isOld && chain.block !== '' && CHAIN_OLD,
    chain.problem !== '' && `The chain can't be read now: ${chain.problem}. Trying again.`,
    network.trading === 'coming_soon' && 'Trading is not live on this network yet: look around.',
    network.trading === 'cancel_only' && 'Maintenance: orders can be cancelled, none is taken.',
    withdrawalsBanner(markets),
    row !== undefined && stateBanner(row),
    missingParts() > 0 && PART_MISSING,
    isFrozen && 'The numbers are frozen: they are as they were. Unfreeze them before you trade.',
  ]
  return warnings.filter((text): text is string => typeof text === 'string' && text !== '')
}
