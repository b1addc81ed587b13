// Account summary: equity, the share of it that margin uses, each balance, and the form that moves
// money.
import { For, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import type { Venue } from '../../page/venue.ts'
import type { SendRequest } from '../../page/working.ts'
import { MoneyForm } from '../money/money-form.tsx'
import type { AccountView } from '../tables/table-protocol.ts'
import * as text from './text.ts'

/** Loaded with the account. */
export const AccountOverview = (props: Readonly<{ venue: Venue; work: SendRequest }>) => (
  <>
    <AccountFacts account={props.venue.shown.account} />
    <MoneyForm
      wallet={props.venue.shown.wallet}
      acting={props.venue.shown.acting}
      free={props.venue.shown.account.free}
      markets={props.venue.shown.markets}
      ask={props.venue.ask}
      work={props.work}
    />
  </>
)

function AccountFacts(props: Readonly<{ account: AccountView }>) {
  const pnl = () => props.account.unrealized
  return (
    <Show when={props.account.isKnown} fallback={<p class="quiet">{text.loadingAccount}</p>}>
      <dl class="pairs">
        <Pair name={text.equity} value={props.account.equity} />
        <Pair name={text.free} value={props.account.free} />
        <div>
          <dt>{text.unrealizedPnl}</dt>
          <dd classList={{ buy: pnl().startsWith('+'), sell: pnl().startsWith('-') }}>{pnl()}</dd>
        </div>
        <Show when={props.account.buyingPower.name}>
          <div title={props.account.buyingPower.hint}>
            <dt>
              {props.account.buyingPower.name}
              <span class="hidden">. {props.account.buyingPower.hint}</span>
            </dt>
            <dd>{props.account.buyingPower.value}</dd>
          </div>
        </Show>
        <Pair name={text.initialMargin} value={props.account.initialMargin} />
        <Pair name={text.maintenanceMargin} value={props.account.maintenanceMargin} />
      </dl>
      <label
        class="margin"
        classList={{ near: props.account.warning !== '' }}
        title={text.marginRatioTerms}
      >
        <span class="quiet">
          {text.marginRatio}
          <span class="hidden">. {text.marginRatioTerms}</span>
        </span>
        <meter min="0" max="1" low={0.5} high={0.8} optimum={0} value={props.account.used} />
        <span>{props.account.usedText}</span>
        <strong>{text.warnings[props.account.warning]}</strong>
      </label>
      <table class="balances">
        <thead>
          <tr>
            <For each={text.balanceColumns}>{(title) => <th scope="col">{title}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.account.balances}>
            {(row) => (
              <tr>
                <td>
                  {row.symbol} <span class="quiet">{text.balanceKinds[row.kind]}</span>
                </td>
                <td>{row.total}</td>
                <td>{row.free}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Show>
  )
}

/** Saves the balances as they are shown. */
export const BalancesExport = (props: Readonly<{ venue: Venue }>) => (
  <ExportButton
    ask={props.venue.ask}
    name={text.balances}
    columns={text.balanceColumns}
    rows={() =>
      props.venue.shown.account.balances.map((row) => [
        `${row.symbol} ${text.balanceKinds[row.kind]}`,
        row.total,
        row.free,
      ])
    }
  />
)

const Pair = (props: Readonly<{ name: string; value: string }>) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.value}</dd>
  </div>
)
