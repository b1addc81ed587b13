// The account panel: how to open an account, and its balances once it exists.
import { createEffect, For, Match, on, Show, Switch } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import { offersOf } from '../market/market-state.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { AccountFacts, BalancesExport } from './account-facts.tsx'
import './account.css'
import { createWorking, type SendRequest } from '../../page/working.ts'
import { MoneyForm } from '../money/money-form.tsx'
import { findWallets } from '../wallet/injected-wallets.ts'
import * as text from './text.ts'
import { AgreeDialog, ConnectPanel, SentList, WalletState } from './wallet-state.tsx'

/** Height of the panel without an account on a devnet, in CSS pixels. */
const EMPTY_PX = 162

type PanelProps = Readonly<{ venue: Venue; settings: SettingsStore }>

export function AccountPanel(props: PanelProps) {
  const wallets = findWallets(props.venue)
  const { work, problem } = createWorking(props.venue.ask)
  const wallet = () => props.venue.shown.wallet
  const offers = () => offersOf(props.venue.shown.network.trading)
  const isAway = () => props.venue.shown.chain.isOn
  const room = createRoom(props)
  return (
    <section class="panel account" aria-label={text.title}>
      <div class="panel-head">
        <h2>{text.title}</h2>
        <Show when={props.venue.shown.account.isKnown}>
          <BalancesExport account={props.venue.shown.account} ask={props.venue.ask} />
        </Show>
      </div>
      <div class="account-body" ref={room.of} style={{ 'min-height': room.height() }}>
        <Switch>
          <Match when={wallet().kind === 'loading' && !room.isEmpty()}>
            <p class="quiet">{text.connecting}</p>
          </Match>
          <Match when={isAway() && wallet().address !== ''}>
            <AccountFacts account={props.venue.shown.account} ask={props.venue.ask} />
            <MoneyForm
              wallet={wallet()}
              acting={props.venue.shown.acting}
              markets={props.venue.shown.markets}
              ask={props.venue.ask}
              work={work}
            />
          </Match>
          <Match when={wallet().kind === 'none' || wallet().kind === 'loading'}>
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
            <AccountFacts account={props.venue.shown.account} ask={props.venue.ask} />
            <MoneyForm
              wallet={wallet()}
              acting={props.venue.shown.acting}
              markets={props.venue.shown.markets}
              ask={props.venue.ask}
              work={work}
            />
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

/**
 * Reserves the height that the account panel had last time, so that the form below does not move
 * while the account loads. Without a stored height, and once the venue is known, the ways to open
 * an account are shown at once.
 */
function createRoom({ venue, settings }: PanelProps) {
  let body: HTMLElement | undefined
  const { shown } = venue
  const isKnown = () => shown.wallet.isEnabled && shown.account.isKnown
  createEffect(
    on(isKnown, (isThere) => {
      if (isThere)
        requestAnimationFrame(() => settings.choose({ accountPx: body?.clientHeight ?? 0 }))
    }),
  )
  createEffect(() => {
    if (shown.wallet.kind === 'none') settings.choose({ accountPx: 0 })
  })
  return {
    of: (element: HTMLElement) => {
      body = element
    },
    height: () => (isKnown() ? '0' : `${settings.chosen.accountPx || EMPTY_PX}px`),
    isEmpty: () =>
      settings.chosen.accountPx === 0 && shown.network.name !== '' && shown.wallet.address === '',
  }
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
