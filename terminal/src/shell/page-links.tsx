// Links to the pages: real ones, so that each can be opened in a tab of its own.
import { For } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { Navigation } from './navigation.ts'
import { isOffered, PAGES, pageName } from './route.ts'

const ID = 'pages'

export function PageLinks(props: Readonly<{ venue: Venue; navigation: Navigation }>) {
  const pages = () => PAGES.filter((page) => isOffered(page, props.venue))
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
              {pageName(page)}
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
