// The ways to a wallet: those of the browser, and a test wallet on a devnet.
import { For, Show } from 'solid-js'
import type { Offers } from '../market/market-state.ts'
import type { FoundWallet } from './announced-wallets.ts'

type ConnectProps = Readonly<{
  found: readonly FoundWallet[]
  isDevnet: boolean
  isBusy: boolean
  test: Offers['test']
  onTest: () => void
  onConnect: (wallet: FoundWallet) => void
}>

export const ConnectPanel = (props: ConnectProps) => (
  <>
    <Show when={props.isDevnet}>
      <button type="button" class="primary" disabled={props.isBusy} onClick={() => props.onTest()}>
        {props.test.title}
      </button>
      <p class="quiet">{props.test.words}</p>
    </Show>
    <For each={props.found}>
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
          <span>Connect {wallet.name}</span>
        </button>
      )}
    </For>
    <Show when={props.found.length === 0}>
      <p class="quiet">This browser has no wallet of its own.</p>
    </Show>
  </>
)
