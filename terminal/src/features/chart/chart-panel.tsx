// The chart's frame and its tabs. The charts are loaded after the book, with their toolbars.
import { createEffect, createSignal, For, Match, Switch } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import type { Ticket } from '../order/ticket.ts'
import { CHART_TABS, type ChartTab } from './chart-protocol.ts'
import './chart.css'
import { later } from '../../page/later.ts'
import * as text from './text.ts'

const DepthChart = later(async () => (await import('./depth-chart.tsx')).DepthChart)
const FundingChart = later(async () => (await import('./funding-chart.tsx')).FundingChart)

const TAB_TEXTS = { price: text.priceTab, depth: text.depthTab, funding: text.fundingTab }

type ChartPanelProps = Readonly<{
  venue: Venue
  /** Key of the current colours, which are read again when it changes. */
  looks: string
  edit: EditOrder
  ticket: Ticket
}>

export function ChartPanel(props: ChartPanelProps) {
  const [tab, setTab] = createSignal<ChartTab>('price')
  // It is most of what is loaded.
  const PriceChart = later(async () => {
    await props.venue.afterBook
    // The worker reads candles meanwhile.
    props.venue.chart({ tab: 'price', hasMark: false, hasIndex: false })
    return (await import('./price-chart.tsx')).PriceChart
  })
  let panel: HTMLElement | undefined
  let head: HTMLDivElement | undefined
  const kind = () => {
    const { market, markets } = props.venue.shown
    return markets.find(({ name }) => name === market)?.kind
  }
  const tabs = () => CHART_TABS.filter((name) => name !== 'funding' || kind() !== 'SPOT')
  createEffect(() => {
    if (kind() === 'SPOT' && tab() === 'funding') setTab('price')
  })
  // The others report themselves.
  createEffect(() => {
    if (tab() === 'funding') props.venue.chart({ tab: 'funding', hasMark: false, hasIndex: false })
  })
  return (
    <section class="panel chart" aria-label={text.title} ref={panel}>
      <div class="panel-head" ref={head}>
        <fieldset>
          <legend class="hidden">{text.views}</legend>
          <For each={tabs()}>
            {(name) => (
              <button type="button" aria-pressed={tab() === name} onClick={() => setTab(name)}>
                {TAB_TEXTS[name]}
              </button>
            )}
          </For>
        </fieldset>
      </div>
      <Switch>
        <Match when={tab() === 'price' && props.looks} keyed>
          <PriceChart
            venue={props.venue}
            edit={props.edit}
            ticket={props.ticket}
            panel={panel}
            head={head}
          />
        </Match>
        <Match when={tab() === 'depth'}>
          <DepthChart venue={props.venue} looks={props.looks} />
        </Match>
        <Match when={tab() === 'funding'}>
          <FundingChart venue={props.venue} looks={props.looks} />
        </Match>
      </Switch>
    </section>
  )
}
