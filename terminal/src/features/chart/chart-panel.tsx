// The chart's frame: what it shows, the lengths of candles, and the drawing, which comes after the
// book.
import { createEffect, createSignal, For, Match, Show, Switch } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import { CHART_TABS, type ChartTab, RESOLUTIONS, type Resolution } from './chart-protocol.ts'
import './chart.css'
import { later } from '../../page/later.ts'

const DepthChart = later(async () => (await import('./depth-chart.tsx')).DepthChart)
const FundingChart = later(async () => (await import('./funding-chart.tsx')).FundingChart)

const NAMES: Readonly<Record<Resolution, string>> = {
  ...{ '1': '1m', '3': '3m', '5': '5m', '15': '15m', '30': '30m', '60': '1h', '120': '2h' },
  ...{ '240': '4h', '360': '6h', '480': '8h', '720': '12h' },
  ...{ '1D': '1D', '3D': '3D', '1W': '1W', '1M': '1M' },
}
/** The others are in the list beside them. */
const QUICK: readonly Resolution[] = ['1', '5', '15', '60', '240', '1D']

type ChartPanelProps = Readonly<{
  venue: Venue
  /** Key of the current colours, which are read again when it changes. */
  looks: string
  edit: EditOrder
}>

export function ChartPanel(props: ChartPanelProps) {
  const [tab, setTab] = createSignal<ChartTab>('price')
  // It is most of what is loaded.
  const PriceChart = later(async () => {
    await props.venue.afterBook
    return (await import('./price-chart.tsx')).PriceChart
  })
  const [lines, setLines] = createSignal({ hasMark: false, hasIndex: false })
  const kind = () => {
    const { market, markets } = props.venue.shown
    return markets.find(({ name }) => name === market)?.kind
  }
  createEffect(() => props.venue.chart({ tab: tab(), ...lines() }))
  const tabs = () => CHART_TABS.filter((one) => one !== 'funding' || kind() !== 'SPOT')
  createEffect(() => {
    if (kind() === 'SPOT' && tab() === 'funding') setTab('price')
  })
  return (
    <section class="panel chart" aria-label="Chart">
      <div class="panel-head">
        <fieldset>
          <legend class="hidden">Chart view</legend>
          <For each={tabs()}>
            {(one) => (
              <button type="button" aria-pressed={tab() === one} onClick={() => setTab(one)}>
                {one}
              </button>
            )}
          </For>
        </fieldset>
        <Show when={tab() === 'price'}>
          <ResolutionChoice venue={props.venue} />
          <fieldset>
            <legend class="hidden">Lines</legend>
            <Toggle
              name="mark"
              isOn={lines().hasMark}
              turn={(hasMark) => setLines({ ...lines(), hasMark })}
            />
            <Toggle
              name="index"
              isOn={lines().hasIndex}
              turn={(hasIndex) => setLines({ ...lines(), hasIndex })}
            />
          </fieldset>
        </Show>
      </div>
      <Switch>
        <Match when={tab() === 'price' && props.looks} keyed>
          <PriceChart
            venue={props.venue}
            edit={props.edit}
            begin={() => props.venue.chart({ tab: tab(), ...lines() })}
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

function ResolutionChoice(props: Readonly<{ venue: Venue }>) {
  const [chosen, setChosen] = createSignal<Resolution>(chosenBefore)
  const choose = (resolution: Resolution) => {
    chosenBefore = resolution
    setChosen(resolution)
    props.venue.resolution(resolution)
  }
  return (
    <fieldset class="resolutions">
      <legend class="hidden">Candle interval</legend>
      <For each={QUICK}>
        {(resolution) => (
          <button
            type="button"
            aria-pressed={chosen() === resolution}
            onClick={() => choose(resolution)}
          >
            {NAMES[resolution]}
          </button>
        )}
      </For>
      <label>
        <span class="hidden">All candle intervals</span>
        <select
          value={chosen()}
          onInput={({ currentTarget }) => choose(RESOLUTIONS[currentTarget.selectedIndex] ?? '5')}
        >
          <For each={RESOLUTIONS}>
            {(resolution) => <option value={resolution}>{NAMES[resolution]}</option>}
          </For>
        </select>
      </label>
    </fieldset>
  )
}

/** The worker keeps it while another tab is shown, and so does this. */
let chosenBefore: Resolution = '5'

const Toggle = (
  props: Readonly<{ name: string; isOn: boolean; turn: (isOn: boolean) => void }>,
) => (
  <button
    type="button"
    class={`line-${props.name}`}
    aria-pressed={props.isOn}
    onClick={() => props.turn(!props.isOn)}
  >
    {props.name}
  </button>
)
