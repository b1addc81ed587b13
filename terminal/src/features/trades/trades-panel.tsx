// The newest trades of the market.
import { For } from 'solid-js'
import type { TradeRow } from '../market/market-protocol.ts'
import * as text from './text.ts'

export const TradesPanel = (props: Readonly<{ trades: readonly TradeRow[] }>) => (
  <section class="panel trades" aria-label={text.trades} tabindex={0}>
    <div class="panel-head">
      <h2>{text.trades}</h2>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">{text.price}</th>
          <th scope="col">{text.amount}</th>
          <th scope="col">{text.time}</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.trades}>
          {(trade) => (
            <tr>
              <td classList={{ buy: trade.isBuy, sell: !trade.isBuy }}>
                <span class="hidden">{trade.isBuy ? text.boughtAt : text.soldAt}</span>
                <span aria-hidden="true">{trade.isBuy ? '▲' : '▼'}</span> {trade.price}
              </td>
              <td>{trade.amount}</td>
              <td>{trade.time}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  </section>
)
