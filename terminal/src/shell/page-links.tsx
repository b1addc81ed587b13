// Links to the pages: real ones, so that each can be opened in a tab of its own.
import { For } from 'solid-js'
import type { Navigation } from './navigation.ts'
import { PAGES, type Page } from './route.ts'

const NAMES: Readonly<Record<Page, string>> = {
  trade: 'Trade',
  markets: 'Markets',
  pools: 'Pools',
  status: 'Status',
}

export function PageLinks(props: Readonly<{ navigation: Navigation; hasPools: boolean }>) {
  const pages = () => PAGES.filter((page) => page !== 'pools' || props.hasPools)
  return (
    <nav class="page-links" aria-label="Pages">
      <For each={pages()}>
        {(page) => (
          <a
            href={props.navigation.hrefOf({ page })}
            aria-current={props.navigation.page() === page ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlain(event)) return
              event.preventDefault()
              props.navigation.go({ page })
            }}
          >
            {NAMES[page]}
          </a>
        )}
      </For>
    </nav>
  )
}

/** A click that asks for no other tab. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
