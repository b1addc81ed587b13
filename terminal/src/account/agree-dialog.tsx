// Says what the wallet is about to sign or send, and asks whether to go on.
import { createEffect, For } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { InjectedWallets } from './injected-wallets.ts'

export function AgreeDialog(props: Readonly<{ wallets: InjectedWallets }>) {
  let dialog: HTMLDialogElement | undefined
  const words = () => props.wallets.agreeing()
  createEffect(() => {
    if (words() === undefined) dialog?.close()
    else dialog?.showModal()
  })
  return (
    // Beside the page to trade on, which is hidden while another page asks the wallet.
    <Portal>
      <dialog
        ref={dialog}
        class="agree"
        aria-labelledby="agree-title"
        onCancel={() => props.wallets.agree(false)}
      >
        <h2 id="agree-title">{words()?.title}</h2>
        <dl>
          <For each={words()?.lines}>
            {([name, value]) => (
              <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            )}
          </For>
        </dl>
        <p class="choices">
          <button type="button" class="primary" onClick={() => props.wallets.agree(true)}>
            Go on in the wallet
          </button>
          <button type="button" onClick={() => props.wallets.agree(false)}>
            No
          </button>
        </p>
      </dialog>
    </Portal>
  )
}
