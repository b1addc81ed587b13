// Banners about problems, in words and with a sign, above everything that they concern.
import { For, Show } from 'solid-js'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateBanner, withdrawalsBanner } from '../features/market/market-state.ts'
import type { AccountView } from '../features/tables/table-protocol.ts'
import { missingParts } from '../page/later.ts'
import type { Shown } from '../protocol/protocol.ts'

type BannerFacts = Readonly<{
  shown: Pick<Shown, 'connection' | 'chain' | 'network' | 'problem' | 'markets'>
  /** Row of the displayed market; undefined before there is one. */
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
          {warning() === 'liquidatable'
            ? 'The account may be liquidated now.'
            : 'Liquidation is near.'}
        </strong>{' '}
        <span>Maintenance margin is {props.account.usedText} of equity.</span> Deposit margin, or
        close a part of a position.
      </p>
    )}
  </Show>
)

/** Temporary states are shown above the page, where they move nothing under the pointer. */
const PASSING = {
  connecting: '… Connecting to the venue',
  resync: '… Reconnected: catching up',
  open: '',
  stale: '▲ Live data delayed',
  lost: '▲ Connection lost: data is outdated. Reconnecting',
  down: '',
} as const

const AWAY =
  'The venue does not respond. Data is outdated. Open orders stay on the chain; this page resumes once the venue responds.'
/** Lists the functions that work without the API, and those that do not. */
const ON_CHAIN =
  'The venue does not respond: this page uses the chain only. Book, orders, positions and balances are read from its contracts; your wallet can cancel, close and withdraw. No new orders, candles, trades or history until the venue is back.'
const PART_MISSING =
  'A part of this page could not be loaded; retrying. If the venue has a new version, reload the page.'
const CHAIN_OLD = 'The chain node sends nothing new: data is from the block shown.'

function warningsOf({ shown, row, isFrozen }: BannerFacts): readonly string[] {
  const { connection, chain, network, markets } = shown
  const warnings = [
    chain.isOn && ON_CHAIN,
    connection === 'down' && !chain.isOn && AWAY,
    chain.isOn && chain.isOld && chain.block !== '' && CHAIN_OLD,
    chain.problem !== '' && `The chain can't be read now: ${chain.problem}. Trying again.`,
    network.trading === 'coming_soon' && 'Trading is not live on this network yet: look around.',
    network.trading === 'cancel_only' && 'Maintenance: cancels only.',
    withdrawalsBanner(markets),
    row !== undefined && stateBanner(row),
    missingParts() > 0 && PART_MISSING,
    isFrozen && 'Updates are paused: resume them before you trade.',
  ]
  return warnings.filter((text): text is string => typeof text === 'string' && text !== '')
}
