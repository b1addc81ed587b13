// What stands between the wallet and trading, each with what to do about it: another network, a
// question that the wallet has not answered, and what an earlier visit left undone.
import { For, Show } from 'solid-js'
import type { WalletView } from '../worker/wallet/wallet-protocol.ts'
import type { createWorking } from './working.ts'

type Work = ReturnType<typeof createWorking>['work']

type StateProps = Readonly<{
  wallet: WalletView
  work: Work
  /** The page's own words are still to be agreed to. */
  isAgreeing: boolean
}>

export function WalletState(props: StateProps) {
  return (
    <>
      <Show when={props.wallet.wrongChain}>
        {(chain) => (
          <div class="hint" role="status">
            <p>
              ▲ {props.wallet.name} is on {chain().is}. This venue is on {chain().wanted}.
            </p>
            <button
              type="button"
              class="primary"
              disabled={props.wallet.isBusy}
              onClick={() => void props.work('switchChain', null)}
            >
              Switch to {props.wallet.network}
            </button>
          </div>
        )}
      </Show>
      <Show when={props.wallet.isSlow && !props.isAgreeing}>
        <div class="hint" role="status">
          <p>… Waiting for your answer in {props.wallet.name || 'the wallet'}: open it.</p>
          <button type="button" onClick={() => void props.work('stopWaiting', null)}>
            Stop waiting
          </button>
        </div>
      </Show>
      <Show when={props.wallet.unfinished}>
        <div class="hint">
          <p>
            Not done yet: {props.wallet.unfinished}. What the venue and the chain have of it is
            looked up first; nothing is done twice.
          </p>
          <button type="button" class="primary" onClick={() => void props.work('resume', null)}>
            Go on
          </button>
        </div>
      </Show>
    </>
  )
}

const SIGNS = { sent: '…', done: '✓', failed: '▲' } as const
const WORDS = { sent: 'on its way', done: 'in a block', failed: 'failed' } as const

/** The transactions of this visit, with a link to where the explorer shows them. */
export const SentList = (props: Readonly<{ wallet: WalletView }>) => (
  <Show when={props.wallet.txs.length > 0}>
    <details>
      <summary>Transactions ({props.wallet.txs.length})</summary>
      <ul class="steps" aria-label="Transactions">
        <For each={props.wallet.txs}>
          {(tx) => (
            <li classList={{ failed: tx.state === 'failed' }}>
              <span aria-hidden="true">{SIGNS[tx.state]}</span> {tx.text}: {WORDS[tx.state]}{' '}
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
