// Test money, on networks that have it.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { createWorking } from '../../page/working.ts'
import { isLive } from '../market/market-state.ts'
import type { FaucetOffer } from './faucet-protocol.ts'
import '../../page/pages.css'
import '../../page/second.css'
import type { PageProps } from '../../page/secondary-page.tsx'
import * as text from './text.ts'

export function FaucetPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [offers, setOffers] = createSignal<readonly FaucetOffer[]>([])
  const [isDone, setDone] = createSignal(false)
  const wallet = () => props.venue.shown.wallet
  createEffect(
    on(
      () => wallet().isDevnet,
      async (isDevnet) => {
        if (isDevnet) setOffers((await work('readFaucet', null)) ?? [])
      },
    ),
  )
  const get = async () => {
    setDone(false)
    const answer = await work(wallet().kind === 'none' ? 'startTest' : 'getTestMoney', null)
    setDone(answer === null)
  }
  return (
    <main class="sheet narrow">
      <h2>{text.title}</h2>
      <Show when={problem()}>
        <p class="problem" role="alert">
          {problem()?.message}
        </p>
      </Show>
      <Show
        when={wallet().isDevnet}
        fallback={<Elsewhere url={props.venue.faucetUrl()} network={wallet().network} />}
      >
        <p>{text.devnetMoney}</p>
        <dl class="facts-list list">
          <For each={offers()}>
            {({ symbol, amount }) => (
              <div>
                <dt>{symbol}</dt>
                <dd>{amount}</dd>
              </div>
            )}
          </For>
        </dl>
        <p>
          <button
            type="button"
            class="main-button"
            disabled={isBusy() || wallet().isBusy || wallet().kind === 'loading'}
            onClick={() => void get()}
          >
            {wallet().kind === 'none' ? text.createTestWallet : text.getTestMoney}
          </button>
        </p>
        <p role="status">
          <Show when={isBusy()}>{text.sending}</Show>
          <Show when={isDone()}>{text.confirmed}</Show>
        </p>
        <Show when={wallet().kind === 'none'}>
          <p class="quiet">{text.testWalletTerms(isLive(props.venue.shown.network.trading))}</p>
        </Show>
        <Show when={wallet().address && wallet().tokens.length > 0}>
          <h3 class="part">{text.walletBalance(wallet().short)}</h3>
          <dl class="facts-list list">
            <For each={wallet().tokens}>
              {({ symbol, inWallet }) => (
                <div>
                  <dt>{symbol}</dt>
                  <dd>{inWallet}</dd>
                </div>
              )}
            </For>
          </dl>
        </Show>
      </Show>
    </main>
  )
}

const Elsewhere = (props: Readonly<{ url: string; network: string }>) => (
  <Show when={props.url} fallback={<p class="empty">{text.noFaucet(props.network)}</p>}>
    <p>
      {text.comesFrom(props.network)}
      <a href={props.url} rel="noopener noreferrer" target="_blank">
        {text.faucetAt(hostOf(props.url))}
      </a>
      {text.enterAddress}
    </p>
  </Show>
)

const hostOf = (url: string): string => new URL(url).host
