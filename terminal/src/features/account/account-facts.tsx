// Account summary: equity, the share of it that margin uses, and each balance.
import { For, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import type { Ask } from '../../protocol/asking.ts'
import type { AccountView } from '../tables/table-protocol.ts'

const BALANCE_COLUMNS = ['Balance', 'Total', 'Free']
const RATIO_SAYS = 'Maintenance margin as a share of equity: at 100 % positions may be liquidated'
const WARNINGS = {
  '': '',
  near: '▲ liquidation is near',
  liquidatable: '▲ may be liquidated now',
} as const

export function AccountFacts(props: Readonly<{ account: AccountView; ask: Ask }>) {
  const pnl = () => props.account.unrealized
  return (
    <Show when={props.account.isKnown} fallback={<p class="quiet">loading account …</p>}>
      <dl class="pairs">
        <Pair name="Equity" value={props.account.equity} />
        <Pair name="Free" value={props.account.free} />
        <div>
          <dt>Unrealized PnL</dt>
          <dd classList={{ buy: pnl().startsWith('+'), sell: pnl().startsWith('-') }}>{pnl()}</dd>
        </div>
        <Show when={props.account.buyingPower.name}>
          <div title={props.account.buyingPower.says}>
            <dt>
              {props.account.buyingPower.name}
              <span class="hidden">. {props.account.buyingPower.says}</span>
            </dt>
            <dd>{props.account.buyingPower.value}</dd>
          </div>
        </Show>
        <Pair name="Initial margin" value={props.account.initialMargin} />
        <Pair name="Maintenance margin" value={props.account.maintenanceMargin} />
      </dl>
      <label class="margin" classList={{ near: props.account.warning !== '' }} title={RATIO_SAYS}>
        <span class="quiet">
          Margin ratio<span class="hidden">. {RATIO_SAYS}</span>
        </span>
        <meter min="0" max="1" low={0.5} high={0.8} optimum={0} value={props.account.used} />
        <span>{props.account.usedText}</span>
        <strong>{WARNINGS[props.account.warning]}</strong>
      </label>
      <table class="balances">
        <thead>
          <tr>
            <For each={BALANCE_COLUMNS}>{(title) => <th scope="col">{title}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.account.balances}>
            {(row) => (
              <tr>
                <td>
                  {row.symbol} <span class="quiet">{row.kind}</span>
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
export const BalancesExport = (props: Readonly<{ account: AccountView; ask: Ask }>) => (
  <ExportButton
    ask={props.ask}
    name="Balances"
    columns={BALANCE_COLUMNS}
    rows={() =>
      props.account.balances.map((row) => [`${row.symbol} ${row.kind}`, row.total, row.free])
    }
  />
)

const Pair = (props: Readonly<{ name: string; value: string }>) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.value}</dd>
  </div>
)
