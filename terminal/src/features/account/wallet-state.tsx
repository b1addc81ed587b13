// The way from no wallet to trading: available wallets, the text of what is about to be signed, and
// obstacles such as another network or a step that an earlier visit left unfinished.
import { createEffect, For, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { createWorking } from '../../page/working.ts'
import type { Offers } from '../market/market-state.ts'
import type { WalletAnnouncement } from '../wallet/announced-wallets.ts'
import type { InjectedWallets } from '../wallet/injected-wallets.ts'
import type { WalletView } from '../wallet/wallet-protocol.ts'
import * as text from './text.ts'

type StateProps = Readonly<{
  wallet: WalletView
  work: ReturnType<typeof createWorking>['work']
  /** The user has not yet agreed to the page's own description. */
  isAgreeing: boolean
}>

export function WalletState(props: StateProps) {
  return (
    <>
      <Show when={props.wallet.wrongChain}>
        {(chain) => (
          <div class="hint" role="status">
            <p>{text.wrongChain(props.wallet.name, chain().walletNetwork, chain().venueNetwork)}</p>
            <button
              type="button"
              class="primary"
              disabled={props.wallet.isBusy}
              onClick={() => void props.work('switchChain', null)}
            >
              {text.switchTo(props.wallet.network)}
            </button>
          </div>
        )}
      </Show>
      <Show when={props.wallet.isSlow && !props.isAgreeing}>
        <div class="hint" role="status">
          <p>{text.waitingForWallet(props.wallet.name)}</p>
          <button type="button" onClick={() => void props.work('stopWaiting', null)}>
            {text.stopWaiting}
          </button>
        </div>
      </Show>
      <Show when={props.wallet.unfinished}>
        <div class="hint">
          <p>{text.unfinished(props.wallet.unfinished)}</p>
          <button type="button" class="primary" onClick={() => void props.work('resume', null)}>
            {text.resume}
          </button>
        </div>
      </Show>
    </>
  )
}

const SIGNS = { sent: '…', done: '✓', failed: '▲' } as const

/** The transactions of this visit, with links to the explorer. */
export const SentList = (props: Readonly<{ wallet: WalletView }>) => (
  <Show when={props.wallet.txs.length > 0}>
    <details>
      <summary>{text.transactionsCount(props.wallet.txs.length)}</summary>
      <ul class="steps" aria-label={text.transactions}>
        <For each={props.wallet.txs}>
          {(tx) => (
            <li classList={{ failed: tx.state === 'failed' }}>
              <span aria-hidden="true">{SIGNS[tx.state]}</span>{' '}
              {text.transaction(tx.text, text.transactionStates[tx.state])}{' '}
              <Show when={tx.url} fallback={<span class="quiet">{shorten(tx.id)}</span>}>
                <a href={tx.url} target="_blank" rel="noreferrer noopener">
                  {shorten(tx.id)}
                </a>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </details>
  </Show>
)

const shorten = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-4)}`

type ConnectProps = Readonly<{
  wallets: readonly WalletAnnouncement[]
  isDevnet: boolean
  isBusy: boolean
  test: Offers['test']
  onTest: () => void
  onConnect: (wallet: WalletAnnouncement) => void
}>

/** The ways to connect: browser wallets, and a test wallet on a devnet. */
export const ConnectPanel = (props: ConnectProps) => (
  <>
    <Show when={props.isDevnet}>
      <button type="button" class="primary" disabled={props.isBusy} onClick={() => props.onTest()}>
        {props.test.title}
      </button>
      <p class="quiet">{props.test.words}</p>
    </Show>
    <For each={props.wallets}>
      {(wallet) => (
        <button
          type="button"
          class="wallet"
          disabled={props.isBusy}
          onClick={() => props.onConnect(wallet)}
        >
          <Show when={wallet.icon} fallback={<span class="wallet-icon" aria-hidden="true" />}>
            <img class="wallet-icon" src={wallet.icon} alt="" width="18" height="18" />
          </Show>
          <span>{text.connectWallet(wallet.name)}</span>
        </button>
      )}
    </For>
    <Show when={props.wallets.length === 0}>
      <p class="quiet">{text.noWallet}</p>
    </Show>
  </>
)

/** Explains what the wallet is about to sign or send, and asks for confirmation. */
export function AgreeDialog(props: Readonly<{ wallets: InjectedWallets }>) {
  let dialog: HTMLDialogElement | undefined
  const words = () => props.wallets.agreeing()
  createEffect(() => {
    if (words() === undefined) dialog?.close()
    else dialog?.showModal()
  })
  return (
    // Outside the trading page, which is hidden while another page uses the wallet.
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
            {text.continueInWallet}
          </button>
          <button type="button" onClick={() => props.wallets.agree(false)}>
            {text.cancel}
          </button>
        </p>
      </dialog>
    </Portal>
  )
}
