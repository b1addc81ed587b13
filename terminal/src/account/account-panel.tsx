// The account: how to have one, and what it has.
import { For, Match, Show, Switch } from 'solid-js'
import type { Venue } from '../venue.ts'
import { AccountFacts } from './account-facts.tsx'
import './account.css'
import { AgreeDialog } from './agree-dialog.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { findWallets } from './injected-wallets.ts'
import { MoneyForm } from './money-form.tsx'
import { SentList, WalletState } from './wallet-state.tsx'
import { createWorking } from './working.ts'

export function AccountPanel(props: Readonly<{ venue: Venue }>) {
  const wallets = findWallets(props.venue)
  const { work, problem } = createWorking(props.venue.ask)
  const wallet = () => props.venue.shown.wallet
  const isAway = () => props.venue.shown.chain.isOn
  return (
    <section class="panel account" aria-label="Account">
      <div class="panel-head">
        <h2>Account</h2>
      </div>
      <div class="account-body">
        <Switch>
          <Match when={wallet().kind === 'loading'}>
            <p class="quiet">connecting …</p>
          </Match>
          <Match when={isAway() && wallet().address !== ''}>
            <AccountFacts account={props.venue.shown.account} />
            <MoneyForm wallet={wallet()} ask={props.venue.ask} work={work} />
          </Match>
          <Match when={wallet().kind === 'none'}>
            <ConnectPanel
              found={wallets.found()}
              isDevnet={wallet().isDevnet && !isAway()}
              isBusy={wallet().isBusy}
              onTest={() => void work('startTest', null)}
              onConnect={({ id, name }) => void work('connect', { id, name })}
            />
          </Match>
          <Match when={!wallet().isEnabled && wallet().unfinished}>
            {/* Going on is offered below. */}
            <p class="quiet">{wallet().name} is connected.</p>
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
                  Get test money and trade
                </button>
              }
            >
              <Enable venue={props.venue} work={work} />
            </Show>
          </Match>
          <Match when={wallet().isEnabled}>
            <AccountFacts account={props.venue.shown.account} />
            <MoneyForm wallet={wallet()} ask={props.venue.ask} work={work} />
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

type Work = ReturnType<typeof createWorking>['work']

function Enable(props: Readonly<{ venue: Venue; work: Work }>) {
  const wallet = () => props.venue.shown.wallet
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const amount = `${new FormData(event.currentTarget).get('amount')}`.trim()
        void props.work('enableTrading', { engine: 'perps', symbol: 'USDC', amount })
      }}
    >
      <label>
        Deposit USDC as margin
        <input name="amount" inputmode="decimal" autocomplete="off" placeholder="none" />
      </label>
      <p class="quiet">
        Then a key is registered that trades for a week, and cannot withdraw. An account begins with
        its first deposit.
      </p>
      <button type="submit" class="primary" disabled={wallet().isBusy}>
        Enable trading
      </button>
      <Show when={wallet().isDevnet}>
        <button
          type="button"
          disabled={wallet().isBusy}
          onClick={() => void props.work('getTestMoney', null)}
        >
          Get test money
        </button>
      </Show>
    </form>
  )
}

const SIGNS = { waiting: '○', now: '…', done: '✓', failed: '▲' } as const

/** Once all is done its last step says so. */
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
            <span class="hidden">{step.state}</span>
          </li>
        )}
      </For>
    </ol>
  )
}
