// In the header: whose account it is, and the way out of it.
import { Show } from 'solid-js'
import type { Venue } from '../venue.ts'

export function WalletBadge(props: Readonly<{ venue: Venue }>) {
  const wallet = () => props.venue.shown.wallet
  return (
    <Show when={wallet().address}>
      <p class="badge">
        <span title={wallet().address}>
          <span class="wallet-name">{wallet().name}</span> {wallet().short}
        </span>
        <Show when={props.venue.shown.acting}>
          {(sub) => <span class="acting">▲ sub-account {shorten(sub())}</span>}
        </Show>
        <button type="button" onClick={() => void props.venue.ask('signOut', null)}>
          Sign out
        </button>
      </p>
    </Show>
  )
}

const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
