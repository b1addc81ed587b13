// Status of the venue: what answers, how far it lags, and what it promises.
import { For } from 'solid-js'
import type { StatusView } from './status-protocol.ts'
import * as text from './text.ts'
import '../../page/pages.css'

export const StatusPage = (props: Readonly<{ status: StatusView }>) => (
  <main class="sheet" tabindex={0} aria-label={text.status}>
    <h2>{text.status}</h2>
    <div class="status-groups">
      <For each={props.status} fallback={<p>{text.loading}</p>}>
        {(group) => (
          <section class="list" aria-label={group.title}>
            <h3>{group.title}</h3>
            <dl class="facts-list">
              <For each={group.lines}>
                {(line) => (
                  <div>
                    <dt>{line.name}</dt>
                    <dd class={`judged-${line.judgement}`}>{line.value}</dd>
                  </div>
                )}
              </For>
            </dl>
          </section>
        )}
      </For>
    </div>
  </main>
)
