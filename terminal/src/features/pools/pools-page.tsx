// Pools of the second host, the most valuable first.
import { For, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import type { Ask } from '../../protocol/asking.ts'
import type { PoolsView } from './pools-protocol.ts'
import * as text from './text.ts'
import '../../page/pages.css'
import '../../page/second.css'

export const PoolsPage = (props: Readonly<{ pools: PoolsView; ask: Ask }>) => (
  <main class="sheet" tabindex={0} aria-label={text.pools}>
    <div class="sheet-head">
      <h2>{text.pools}</h2>
      <ExportButton
        ask={props.ask}
        name={text.pools}
        columns={[...text.columns, text.address]}
        rows={() =>
          props.pools.rows.map(({ pair, kind, tvl, volume, fee, address }) => [
            ...[pair, kind, tvl, volume, fee, address],
          ])
        }
      />
    </div>
    <Show when={props.pools.isOffered} fallback={<p>{text.noHost}</p>}>
      <Show when={props.pools.problem}>
        <p class="problem">{props.pools.problem}</p>
      </Show>
      <div class="list">
        <table>
          <thead>
            <tr>
              <For each={text.columns}>{(name) => <th scope="col">{name}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={props.pools.rows}>
              {(pool) => (
                <tr>
                  <td title={pool.address}>{pool.pair}</td>
                  <td>{pool.kind}</td>
                  <td>{pool.tvl}</td>
                  <td>{pool.volume}</td>
                  <td>{pool.fee}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </Show>
  </main>
)
