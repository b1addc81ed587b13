// Tabs of the views that share a place, with an icon and a short word. Arrow keys move between
// them.
import { For } from 'solid-js'
import { isSeen, type Layout, tabsOf, type ViewName } from './layout.ts'
import * as text from './text.ts'

type TabsProps = Readonly<{
  layout: Layout
  chosen: ViewName
  choose: (view: ViewName) => void
}>

const NAMES: Readonly<Record<ViewName, string>> = {
  chart: text.chart,
  book: text.book,
  trades: text.trades,
  tables: text.positions,
  account: text.account,
}
/** SVG path of each icon, 16 by 16. */
const SIGNS: Readonly<Record<ViewName, string>> = {
  chart: 'M4 2v3M4 11v3M2.5 5h3v6h-3zM11 3v2M11 10v3M9.5 5h3v5h-3z',
  book: 'M2 3h8M2 6h5M2 10h9M2 13h12',
  trades: 'M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5',
  tables: 'M2 3h12v10H2zM2 6.5h12M6 6.5V13',
  account: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14c.5-3 2.5-4 5.5-4s5 1 5.5 4',
}

/** The id of a tab's panel; the id of the tab itself ends with `-tab`. */
export const viewId = (view: ViewName): string => `view-${view}`
export const tabId = (view: ViewName): string => `${viewId(view)}-tab`

export function ViewTabs(props: TabsProps) {
  const tabs = () => tabsOf(props.layout)
  const move = (event: KeyboardEvent, from: ViewName) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = tabs()
    const to = all[(all.indexOf(from) + step + all.length) % all.length]
    if (to === undefined) return
    props.choose(to)
    document.getElementById(tabId(to))?.focus()
  }
  return (
    <div class="view-tabs" role="tablist" aria-label={text.views}>
      <For each={tabs()}>
        {(view) => {
          const isChosen = () => isSeen(props.layout, view, props.chosen)
          return (
            <button
              type="button"
              role="tab"
              id={tabId(view)}
              aria-selected={isChosen()}
              aria-controls={viewId(view)}
              tabindex={isChosen() ? 0 : -1}
              onClick={() => props.choose(view)}
              onKeyDown={(event) => move(event, view)}
            >
              <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <path d={SIGNS[view]} />
              </svg>
              {NAMES[view]}
            </button>
          )
        }}
      </For>
    </div>
  )
}
