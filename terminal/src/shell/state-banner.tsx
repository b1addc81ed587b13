// Banners about problems, in words and with a sign, above everything that they concern.
import { For, Show } from 'solid-js'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateBanner, withdrawalsBanner } from '../features/market/market-state.ts'
import type { AccountView } from '../features/tables/table-protocol.ts'
import { missingParts } from '../page/later.ts'
import type { PageState } from '../protocol/protocol.ts'
import * as text from './text.ts'

type BannerFacts = Readonly<{
  shown: Pick<PageState, 'connection' | 'chain' | 'network' | 'problem' | 'market' | 'markets'>
  /** Row of the displayed market; undefined before there is one. */
  row: MarketRow | undefined
  isFrozen: boolean
  /** The market of the link, if the venue has none of this name. */
  missing: string
}>

export function StateBanner(props: BannerFacts) {
  const passing = () => {
    const { chain, connection } = props.shown
    return chain.isOn && connection !== 'resync' ? '' : PASSING[connection]
  }
  return (
    <div class="banners">
      <div role="status">
        <For each={warningsOf(props)}>{(warning) => <p class="banner">▲ {warning}</p>}</For>
        <Show when={passing()}>{(message) => <p class="banner passing">{message()}</p>}</Show>
      </div>
      <Show when={props.shown.problem}>
        <p class="problem" role="alert">
          {props.shown.problem}
        </p>
      </Show>
    </div>
  )
}

/**
 * Warns that a liquidation is near. The announced text is constant: the changing percentage is
 * outside of it.
 */
export const LiquidationBanner = (props: Readonly<{ account: AccountView }>) => (
  <Show when={props.account.warning}>
    {(warning) => (
      <p class="liquidation" classList={{ now: warning() === 'liquidatable' }}>
        <strong role="alert">
          <span aria-hidden="true">▲</span>{' '}
          {warning() === 'liquidatable' ? text.liquidatable : text.nearLiquidation}
        </strong>{' '}
        <span>{text.marginUsed(props.account.usedText)}</span> {text.depositOrClose}
      </p>
    )}
  </Show>
)

/** Temporary states are shown above the page, where they move nothing under the pointer. */
const PASSING = {
  connecting: text.passingConnecting,
  resync: text.passingResync,
  open: '',
  stale: text.passingStale,
  lost: text.passingLost,
  down: '',
} as const

function warningsOf({ shown, row, isFrozen, missing }: BannerFacts): readonly string[] {
  const { connection, chain, network, markets } = shown
  const warnings = [
    chain.isOn && text.chainOnly,
    connection === 'down' && !chain.isOn && text.venueDown,
    chain.isOn && chain.isOld && chain.block !== '' && text.chainOld,
    chain.problem !== '' && text.chainUnread(chain.problem),
    network.trading === 'coming_soon' && text.notLive,
    network.trading === 'cancel_only' && text.cancelsOnly,
    withdrawalsBanner(markets),
    row !== undefined && stateBanner(row),
    missingParts() > 0 && text.partMissing,
    isFrozen && text.updatesPaused,
    missing !== '' && text.unknownMarket(missing, shown.market),
  ]
  return warnings.filter(
    (warning): warning is string => typeof warning === 'string' && warning !== '',
  )
}
