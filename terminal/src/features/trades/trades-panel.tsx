// The newest trades of the market.
import { For } from 'solid-js'
import type { TradeRow } from '../market/market-protocol.ts'

export const TradesPanel = (props: Readonly<{ trades: readonly TradeRow[] }>) => (
  <section class="panel trades" aria-label="Trades" tabindex={0}>
    <div class="panel-head">
      <h2>Trades</h2>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Amount</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.trades}>
          {(trade) => (
            <tr>
              <td classList={{ buy: trade.isBuy, sell: !trade.isBuy }}>
                <span class="hidden">{trade.isBuy ? 'bought at ' : 'sold at '}</span>
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
