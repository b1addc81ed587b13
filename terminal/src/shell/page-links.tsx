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

const ID = 'pages'

export function PageLinks(props: Readonly<{ navigation: Navigation; hasPools: boolean }>) {
  const pages = () => PAGES.filter((page) => page !== 'pools' || props.hasPools)
  return (
    <>
      <button type="button" class="sign menu" popovertarget={ID} title="Pages">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 4h12M2 8h12M2 12h12" />
        </svg>
        <span class="hidden">Pages</span>
      </button>
      {/* A list that the button opens where there is no room for all of them. */}
      <nav class="page-links" id={ID} popover="auto" aria-label="Pages">
        <For each={pages()}>
          {(page) => (
            <a
              href={props.navigation.hrefOf({ page })}
              aria-current={props.navigation.page() === page ? 'page' : undefined}
              onClick={(event) => {
                if (!isPlain(event)) return
                event.preventDefault()
                document.getElementById(ID)?.hidePopover()
                props.navigation.go({ page })
              }}
            >
              {NAMES[page]}
            </a>
          )}
        </For>
      </nav>
    </>
  )
}

/** A click that asks for no other tab. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
