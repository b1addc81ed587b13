// The end of the header: which network, whose account, and out of it.
import { Show } from 'solid-js'
import type { Venue } from '../venue.ts'

export function WalletBadge(props: Readonly<{ venue: Venue }>) {
  const wallet = () => props.venue.shown.wallet
  return (
    <p class="badge">
      <span>{wallet().network}</span>
      <Show when={wallet().address}>
        <span title={wallet().address}>
          {wallet().name} {wallet().short}
        </span>
        <button type="button" onClick={() => void props.venue.ask('signOut', null)}>
          Sign out
        </button>
      </Show>
    </p>
  )
}
