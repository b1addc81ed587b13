// Pools of the second host, the most valuable first.
import { For, Show } from 'solid-js'
import type { PoolsView } from '../worker/market/pools-view.ts'
import './pages.css'

export const PoolsPage = (props: Readonly<{ pools: PoolsView }>) => (
  <main class="sheet" tabindex={0} aria-label="Pools">
    <h2>Pools</h2>
    <Show when={props.pools.isOffered} fallback={<p>This page knows no host of pools.</p>}>
      <Show when={props.pools.problem}>
        <p class="problem">{props.pools.problem}</p>
      </Show>
      <div class="list">
        <table>
          <thead>
            <tr>
              <For each={['Pool', 'Kind', 'Value', '24h volume', 'Fee']}>
                {(name) => <th scope="col">{name}</th>}
              </For>
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
