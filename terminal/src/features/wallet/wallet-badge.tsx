// The connected account in the header with its equity and sign-out, or the way to connect.
import { createSignal, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import type { Venue } from '../../page/venue.ts'
import * as text from './text.ts'

const ForgetDialog = later(async () => (await import('./forget-dialog.tsx')).ForgetDialog)

export function WalletBadge(props: Readonly<{ venue: Venue; connect: () => void }>) {
  const wallet = () => props.venue.shown.wallet
  const [isAsking, setAsking] = createSignal(false)
  const leave = () => void props.venue.ask('signOut', null)
  return (
    <Show
      when={wallet().address}
      fallback={
        <Show when={wallet().kind === 'none'}>
          <button type="button" class="primary" onClick={() => props.connect()}>
            {text.connect}
          </button>
        </Show>
      }
    >
      <p class="badge">
        <Show when={props.venue.shown.account.isKnown}>
          <span class="equity">
            {text.equity} <strong>{props.venue.shown.account.equity}</strong>
          </span>
        </Show>
        <span title={wallet().address}>
          <span class="wallet-name">{wallet().name}</span> {wallet().short}
        </span>
        <Show when={props.venue.shown.acting}>
          {(sub) => (
            <span class="acting">
              ▲ {text.subAccount} {shorten(sub())}
            </span>
          )}
        </Show>
        {/* The key of a test wallet is nowhere else; what is another's is there the next time. */}
        <button
          type="button"
          onClick={() => (wallet().kind === 'test' ? setAsking(true) : leave())}
        >
          {text.signOut}
        </button>
      </p>
      <Show when={isAsking()}>
        <ForgetDialog
          address={shorten(wallet().address)}
          onClose={(isAgreed) => {
            setAsking(false)
            if (isAgreed) leave()
          }}
        />
      </Show>
    </Show>
  )
}

/** Shortens an address to its first and last digits, by which people compare addresses. */
const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
