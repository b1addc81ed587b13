// Numbers with their names, and under each in words what it means.
import { For } from 'solid-js'
import type { Fact } from '../worker/pages/page-protocol.ts'

export const FactTiles = (props: Readonly<{ facts: readonly Fact[] }>) => (
  <dl class="tiles">
    <For each={props.facts}>
      {(fact) => (
        <div>
          <dt>{fact.name}</dt>
          <dd class={fact.side}>{fact.value}</dd>
          <dd class="says">{fact.says}</dd>
        </div>
      )}
    </For>
  </dl>
)
