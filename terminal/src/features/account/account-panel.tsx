// The account panel: how to open an account, and its balances once it exists.
import { For, Match, Show, Switch } from 'solid-js'
import { later } from '../../page/later.ts'
import type { Venue } from '../../page/venue.ts'
import { offersOf } from '../market/market-state.ts'
import './account.css'
import { createWorking, type SendRequest } from '../../page/working.ts'
import { findWallets } from '../wallet/injected-wallets.ts'
import * as text from './text.ts'
import { AgreeDialog, ConnectPanel, SentList, WalletState } from './wallet-state.tsx'

/** Time after the first book at which the overview is loaded, for when the API is down later. */
const KEPT_MS = 5_000
const AccountOverview = later(async () => (await import('./account-facts.tsx')).AccountOverview)
const BalancesExport = later(async () => (await import('./account-facts.tsx')).BalancesExport)

export function AccountPanel(props: Readonly<{ venue: Venue }>) {
  const wallets = findWallets(props.venue)
  const { work, problem } = createWorking(props.venue.ask)
  const wallet = () => props.venue.shown.wallet
  const offers = () => offersOf(props.venue.shown.network.trading)
  void props.venue.afterBook.then(() => {
    setTimeout(() => void import('./account-facts.tsx').catch(() => {}), KEPT_MS)
  })
  const isAway = () => props.venue.shown.chain.isOn
  return (
    <section class="panel account" aria-label={text.title}>
      <div class="panel-head">
        <h2>{text.title}</h2>
        <Show when={props.venue.shown.account.isKnown}>
          <BalancesExport venue={props.venue} />
        </Show>
      </div>
      <div class="account-body">
        <Switch>
          <Match when={wallet().kind === 'loading'}>
            <p class="quiet">{text.connecting}</p>
          </Match>
          <Match when={isAway() && wallet().address !== ''}>
            <AccountOverview venue={props.venue} work={work} />
          </Match>
          <Match when={wallet().kind === 'none'}>
            <ConnectPanel
              wallets={wallets.list()}
              isDevnet={(wallet().isDevnet || props.venue.shown.network.isDevnet) && !isAway()}
              isBusy={wallet().isBusy}
              test={offers().test}
              onTest={() => void work('startTest', null)}
              onConnect={({ id, name }) => void work('connect', { id, name })}
            />
          </Match>
          <Match when={!wallet().isEnabled && wallet().unfinished}>
            {/* Going on is offered below. */}
            <p class="quiet">{text.isConnected(wallet().name)}</p>
          </Match>
          <Match when={!wallet().isEnabled}>
            <Show
              when={wallet().kind === 'injected'}
              fallback={
                <button
                  type="button"
                  class="primary"
                  disabled={wallet().isBusy}
                  onClick={() => void work('startTest', null)}
                >
                  {offers().goOn}
                </button>
              }
            >
              <Enable venue={props.venue} work={work} />
            </Show>
          </Match>
          <Match when={wallet().isEnabled}>
            <AccountOverview venue={props.venue} work={work} />
          </Match>
        </Switch>
        <WalletState wallet={wallet()} work={work} isAgreeing={wallets.agreeing() !== undefined} />
        <Steps venue={props.venue} />
        <SentList wallet={wallet()} />
        <Show when={problem()}>
          <p class="problem" role="alert">
            {problem()?.message}
          </p>
        </Show>
      </div>
      <AgreeDialog wallets={wallets} />
    </section>
  )
}

function Enable(props: Readonly<{ venue: Venue; work: SendRequest }>) {
  const wallet = () => props.venue.shown.wallet
  const offer = () => offersOf(props.venue.shown.network.trading).enable
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const amount = `${new FormData(event.currentTarget).get('amount')}`.trim()
        void props.work('enableTrading', { engine: 'perps', symbol: 'USDC', amount })
      }}
    >
      <label>
        {text.firstDeposit}
        <input
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          placeholder={text.firstDepositHint}
        />
      </label>
      <p class="quiet">{offer().words}</p>
      <button type="submit" class="primary" disabled={wallet().isBusy}>
        {offer().title}
      </button>
      <Show when={wallet().isDevnet}>
        <button
          type="button"
          disabled={wallet().isBusy}
          onClick={() => void props.work('getTestMoney', null)}
        >
          {text.getTestMoney}
        </button>
      </Show>
    </form>
  )
}

const SIGNS = { waiting: '○', now: '…', done: '✓', failed: '▲' } as const

/** Shows only the last step once all are done. */
function Steps(props: Readonly<{ venue: Venue }>) {
  const steps = () => {
    const all = props.venue.shown.wallet.steps
    return all.every(({ state }) => state === 'done') ? all.slice(-1) : all
  }
  return (
    <ol class="steps" aria-live="polite">
      <For each={steps()}>
        {(step) => (
          <li classList={{ now: step.state === 'now', failed: step.state === 'failed' }}>
            <span aria-hidden="true">{SIGNS[step.state]}</span> {step.text}{' '}
            <span class="hidden">{text.stepStates[step.state]}</span>
          </li>
        )}
      </For>
    </ol>
  )
}
