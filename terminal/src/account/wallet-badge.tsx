// In the header: whose account it is, and the way out of it.
import { createSignal, Show } from 'solid-js'
import { ModalDialog } from '../shell/modal-dialog.tsx'
import type { Venue } from '../venue.ts'

export function WalletBadge(props: Readonly<{ venue: Venue }>) {
  const wallet = () => props.venue.shown.wallet
  const [isAsking, setAsking] = createSignal(false)
  const leave = () => void props.venue.ask('signOut', null)
  return (
    <Show when={wallet().address}>
      <p class="badge">
        <span title={wallet().address}>
          <span class="wallet-name">{wallet().name}</span> {wallet().short}
        </span>
        <Show when={props.venue.shown.acting}>
          {(sub) => <span class="acting">▲ sub-account {shorten(sub())}</span>}
        </Show>
        {/* The key of a test wallet is nowhere else; what is another's is there the next time. */}
        <button
          type="button"
          onClick={() => (wallet().kind === 'test' ? setAsking(true) : leave())}
        >
          Sign out
        </button>
      </p>
      <Show when={isAsking()}>
        <ForgetDialog
          address={wallet().address}
          onClose={(isAgreed) => {
            setAsking(false)
            if (isAgreed) leave()
          }}
        />
      </Show>
    </Show>
  )
}

type ForgetProps = Readonly<{ address: string; onClose: (isAgreed: boolean) => void }>

const ForgetDialog = (props: ForgetProps) => (
  <ModalDialog
    label="Sign out and forget this test wallet?"
    onClose={(value) => props.onClose(value === 'yes')}
  >
    <p>
      The key of {shorten(props.address)} is kept in this browser alone. Once it is forgotten nobody
      can reach its test money, its positions or its orders again; orders stay in the book.
    </p>
    <form method="dialog">
      <div class="modal-actions">
        <button type="submit" value="no" autofocus>
          Stay signed in
        </button>
        <button type="submit" value="yes" class="primary">
          Sign out and forget it
        </button>
      </div>
    </form>
  </ModalDialog>
)

const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
