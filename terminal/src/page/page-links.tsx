// Links to the pages. They are real links, so that each page can be opened in a new tab.
import { For } from 'solid-js'
import { isOffered, type Navigation, PAGES, pageName } from './navigation.ts'
import * as text from './text.ts'
import type { Venue } from './venue.ts'

const ID = 'pages'

export function PageLinks(props: Readonly<{ venue: Venue; navigation: Navigation }>) {
  const pages = () => PAGES.filter((page) => isOffered(page, props.venue))
  return (
    <>
      <button type="button" class="sign menu" popovertarget={ID} title={text.pages}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 4h12M2 8h12M2 12h12" />
        </svg>
        <span class="hidden">{text.pages}</span>
      </button>
      {/* A list that the button opens where there is no room for all of them. */}
      <nav class="page-links" id={ID} popover="auto" aria-label={text.pages}>
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

/** Returns true unless the click opens a new tab or window. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
