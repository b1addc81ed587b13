// Which of the three layouts the window has room for, and what each of them shows at once.
import { createSignal, onCleanup } from 'solid-js'

/** `narrow`: one view at a time; `middle`: book and trades share a tab; `wide`: everything. */
export type Layout = 'narrow' | 'middle' | 'wide'

export const VIEWS = ['chart', 'book', 'trades', 'tables', 'account'] as const
export type View = (typeof VIEWS)[number]
/** What shares a tab in the middle layout. */
export const PAIR = ['book', 'trades'] as const

const NARROW = '(max-width: 767.9px)'
const WIDE = '(min-width: 1280px)'

/** Returns the layout of the window, as it changes. The style sheet has the same widths. */
export function createLayout(): () => Layout {
  const [narrow, wide] = [matchMedia(NARROW), matchMedia(WIDE)]
  const read = (): Layout => {
    if (narrow.matches) return 'narrow'
    return wide.matches ? 'wide' : 'middle'
  }
  const [layout, setLayout] = createSignal(read())
  const change = () => setLayout(read())
  for (const query of [narrow, wide]) {
    query.addEventListener('change', change)
    onCleanup(() => query.removeEventListener('change', change))
  }
  return layout
}

/** Returns the views that have tabs in a layout. */
export function tabsOf(layout: Layout): readonly View[] {
  if (layout === 'narrow') return VIEWS
  return layout === 'middle' ? PAIR : []
}

/** Returns whether a view is seen, `chosen` being the one of the tabs. */
export function isSeen(layout: Layout, view: View, chosen: View): boolean {
  const tabs = tabsOf(layout)
  if (!tabs.includes(view)) return true
  // The tab of another layout is none of this one's: then it is the first.
  return view === (tabs.includes(chosen) ? chosen : tabs[0])
}
