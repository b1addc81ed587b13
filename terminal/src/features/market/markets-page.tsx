// All markets, sorted by a column of choice. A click opens one.
import { createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import type { Navigation } from '../../page/navigation.ts'
import { isPlain } from '../../page/page-links.tsx'
import {
  COLUMNS,
  type MarketColumn,
  type MarketSort,
  nextOrder,
  sortMarkets,
  type Window,
  windowRows,
} from './market-list.ts'
import { type MarketRow, SPARK, type Spark } from './market-protocol.ts'
import { stateText } from './market-state.ts'
import '../../page/pages.css'
import '../../page/second.css'
import type { PageProps } from '../../page/secondary-page.tsx'
import * as text from './text.ts'

const SIGNS = { none: '', ascending: '▲', descending: '▼' } as const

/** Height of a row in the stylesheet, including the line below. */
const ROW_PX = 31
const COLUMN_COUNT = COLUMNS.length + 2

export function MarketsPage(props: PageProps) {
  const { shown } = props.venue
  const [order, setOrder] = createSignal<MarketSort>({ column: 'volume', isDescending: true })
  const [typed, setTyped] = createSignal('')
  const matches = createMemo(() => {
    const query = typed().trim().toLowerCase()
    return shown.markets.filter(({ name }) => name.toLowerCase().includes(query))
  })
  const rows = createMemo(() => sortMarkets(matches(), order()))
  const { attach, view } = createWindow(() => rows().length)
  const visible = createMemo(() => rows().slice(view().from, view().to))
  // Price lines are requested for the visible rows, as they change.
  const names = createMemo(() => visible().map(({ name }) => name), [], { equals: isSameList })
  createEffect(() => props.venue.sparks(names()))
  const sparkOf = (name: string) => shown.sparks.find((spark) => spark.name === name)
  return (
    <main class="sheet markets-sheet">
      <div class="sheet-head">
        <h2>{text.titleCount(shown.markets.length)}</h2>
        <ExportButton
          ask={props.venue.ask}
          name={text.title}
          columns={FILE_COLUMNS}
          rows={() => rows().map(textsOf)}
        />
        <label class="find">
          <span class="hidden">{text.find}</span>
          <input
            type="search"
            placeholder={text.findHint}
            value={typed()}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      </div>
      <section class="list" ref={attach} tabindex={0} aria-label={text.title}>
        <table aria-rowcount={rows().length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <For each={COLUMNS}>
                {(column) => (
                  <HeadCell
                    column={column}
                    order={order()}
                    choose={() => setOrder(nextOrder(order(), column))}
                  />
                )}
              </For>
              <th scope="col">{text.sparkColumn}</th>
              <th scope="col">{text.state}</th>
            </tr>
          </thead>
          <tbody>
            <Room px={view().abovePx} />
            <For each={visible()}>
              {(row, at) => (
                <Row
                  row={row}
                  index={view().from + at() + 2}
                  spark={sparkOf(row.name)}
                  navigation={props.navigation}
                />
              )}
            </For>
            <Room px={view().belowPx} />
          </tbody>
        </table>
        <Show when={rows().length === 0}>
          <p class="quiet">{text.noMatches}</p>
        </Show>
      </section>
    </main>
  )
}

/** Columns of the table, with the kind in a column of its own. */
const FILE_COLUMNS = [
  ...[text.columns.name, text.kind],
  ...COLUMNS.slice(1).map((column) => text.columns[column]),
  text.state,
]

const textsOf = (row: MarketRow): readonly string[] => [
  ...[
    row.name,
    text.kinds[row.kind],
    row.mark,
    row.change,
    row.volume,
    row.openInterest,
    row.funding,
  ],
  stateText(row),
]

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at])

/** Tracks the visible part of the list. */
function createWindow(count: () => number) {
  const [scrolled, setScrolled] = createSignal({ scrollPx: 0, heightPx: 0 })
  const attach = (list: HTMLElement) => {
    const read = () => setScrolled({ scrollPx: list.scrollTop, heightPx: list.clientHeight })
    const observer = new ResizeObserver(read)
    observer.observe(list)
    list.addEventListener('scroll', read, { passive: true })
    onCleanup(() => observer.disconnect())
  }
  const view = createMemo(
    () => windowRows({ ...scrolled(), count: count(), rowPx: ROW_PX }),
    NONE,
    {
      equals: (a, b) => a.from === b.from && a.to === b.to && a.belowPx === b.belowPx,
    },
  )
  return { attach, view }
}

const NONE: Window = { from: 0, to: 0, abovePx: 0, belowPx: 0 }

/** Takes the height of rows that are not rendered. */
const Room = (props: Readonly<{ px: number }>) => (
  <Show when={props.px > 0}>
    <tr class="room">
      <td colspan={COLUMN_COUNT} style={{ height: `${props.px}px` }} />
    </tr>
  </Show>
)

function HeadCell(
  props: Readonly<{ column: MarketColumn; order: MarketSort; choose: () => void }>,
) {
  const direction = () => {
    if (props.order.column !== props.column) return 'none'
    return props.order.isDescending ? 'descending' : 'ascending'
  }
  return (
    <th scope="col" aria-sort={direction()}>
      <button type="button" onClick={() => props.choose()}>
        {text.columns[props.column]} <span aria-hidden="true">{SIGNS[direction()]}</span>
      </button>
    </th>
  )
}

type RowProps = Readonly<{
  row: MarketRow
  /** Row number for screen readers; the header is row 1. */
  index: number
  spark: Spark | undefined
  navigation: Navigation
}>

function Row(props: RowProps) {
  const hasChange = () => props.row.change !== ''
  const open = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    props.navigation.go({ page: 'trade', market: props.row.name })
  }
  return (
    // The link is the keyboard target; the row is a larger click target.
    <tr onClick={open} aria-rowindex={props.index}>
      <td>
        <a href={props.navigation.hrefOf({ page: 'trade', market: props.row.name })}>
          {props.row.name}
        </a>{' '}
        <span class="kind">{text.kinds[props.row.kind]}</span>
      </td>
      <td>{props.row.mark}</td>
      <td classList={{ buy: hasChange() && props.row.isUp, sell: hasChange() && !props.row.isUp }}>
        {props.row.change || '–'}
      </td>
      <td>{props.row.volume}</td>
      <td>{props.row.openInterest || '–'}</td>
      <td>{props.row.funding || '–'}</td>
      <td>
        <Show when={props.spark}>{(spark) => <SparkLine spark={spark()} />}</Show>
      </td>
      <td>{stateText(props.row)}</td>
    </tr>
  )
}

const SparkLine = (props: Readonly<{ spark: Spark }>) => (
  <svg
    class="spark"
    classList={{ buy: props.spark.isUp, sell: !props.spark.isUp }}
    width={SPARK.width}
    height={SPARK.height}
    viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
    aria-hidden="true"
  >
    <path d={props.spark.path} />
  </svg>
)
