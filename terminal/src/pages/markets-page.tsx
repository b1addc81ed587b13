// All markets, in the order of a column that can be chosen; a click opens one.
import { createMemo, createSignal, For, Show } from 'solid-js'
import type { Navigation } from '../shell/navigation.ts'
import { isPlain } from '../shell/page-links.tsx'
import { SPARK, type Spark } from '../worker/market/markets-view.ts'
import type { MarketRow, Shown } from '../worker/protocol.ts'
import { COLUMNS, type Column, nextOrder, type Order, sortMarkets } from './market-order.ts'
import './pages.css'

const NAMES: Readonly<Record<Column, string>> = {
  name: 'Market',
  mark: 'Mark',
  change: '24h',
  volume: '24h volume',
  openInterest: 'Open interest',
  funding: 'Funding, 1h',
}
const SIGNS = { none: '', ascending: '▲', descending: '▼' } as const

type MarketsPageProps = Readonly<{
  shown: Pick<Shown, 'markets' | 'sparks'>
  navigation: Navigation
}>

export function MarketsPage(props: MarketsPageProps) {
  const [order, setOrder] = createSignal<Order>({ column: 'volume', isDescending: true })
  const rows = createMemo(() => sortMarkets(props.shown.markets, order()))
  const sparkOf = (name: string) => props.shown.sparks.find((spark) => spark.name === name)
  return (
    <main class="sheet">
      <h2>Markets</h2>
      <div class="list">
        <table>
          <thead>
            <tr>
              <For each={COLUMNS}>
                {(column) => (
                  <HeadCell
                    column={column}
                    order={order()}
                    choose={() => setOrder(nextOrder(order(), column))}
                  />
                )}
              </For>
              <th scope="col">24 hours</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            <For each={rows()}>
              {(row) => <Row row={row} spark={sparkOf(row.name)} navigation={props.navigation} />}
            </For>
          </tbody>
        </table>
      </div>
    </main>
  )
}

type HeadCellProps = Readonly<{ column: Column; order: Order; choose: () => void }>

function HeadCell(props: HeadCellProps) {
  const direction = () => {
    if (props.order.column !== props.column) return 'none'
    return props.order.isDescending ? 'descending' : 'ascending'
  }
  return (
    <th scope="col" aria-sort={direction()}>
      <button type="button" onClick={() => props.choose()}>
        {NAMES[props.column]} <span aria-hidden="true">{SIGNS[direction()]}</span>
      </button>
    </th>
  )
}

type RowProps = Readonly<{ row: MarketRow; spark: Spark | undefined; navigation: Navigation }>

function Row(props: RowProps) {
  const open = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    props.navigation.go({ page: 'trade', market: props.row.name })
  }
  return (
    // The link is what the keyboard reaches; the row is a larger place to click.
    <tr onClick={open}>
      <td>
        <a href={props.navigation.hrefOf({ page: 'trade', market: props.row.name })}>
          {props.row.name}
        </a>{' '}
        <span class="kind">{props.row.kind === 'SPOT' ? 'spot' : 'perpetual'}</span>
      </td>
      <td>{props.row.mark}</td>
      <td class={props.row.isUp ? 'buy' : 'sell'}>{props.row.change || '–'}</td>
      <td>{props.row.volume}</td>
      <td>{props.row.openInterest || '–'}</td>
      <td>{props.row.funding || '–'}</td>
      <td>
        <Show when={props.spark}>{(spark) => <SparkLine spark={spark()} />}</Show>
      </td>
      <td>{props.row.isActive ? 'active' : '▲ halted'}</td>
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
