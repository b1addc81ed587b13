// Selects one of three layouts by window width, and the views that each of them shows.
import { createSignal, onCleanup } from 'solid-js'

/** `narrow`: one view at a time; `middle`: book and trades share a tab; `wide`: everything. */
export type Layout = 'narrow' | 'middle' | 'wide'

export const VIEWS = ['chart', 'book', 'trades', 'tables', 'account'] as const
export type ViewName = (typeof VIEWS)[number]
/** Views that share a tab in the middle layout. */
const PAIR = ['book', 'trades'] as const

const NARROW = '(max-width: 767.9px)'
const WIDE = '(min-width: 1280px)'

/** Returns the current layout. The stylesheet uses the same widths. */
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
export function tabsOf(layout: Layout): readonly ViewName[] {
  if (layout === 'narrow') return VIEWS
  return layout === 'middle' ? PAIR : []
}

/** Returns true if a view is visible while `chosen` is the selected tab. */
export function isSeen(layout: Layout, view: ViewName, chosen: ViewName): boolean {
  const tabs = tabsOf(layout)
  if (!tabs.includes(view)) return true
  // A tab of another layout does not exist here: the first one is selected.
  return view === (tabs.includes(chosen) ? chosen : tabs[0])
}
