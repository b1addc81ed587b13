// The chart's frame: what it shows, the lengths of candles, and the drawing, which comes after the
// book.
import { createEffect, createSignal, For, Match, Show, Switch } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import { CHART_TABS, type ChartTab, RESOLUTIONS, type Resolution } from './chart-protocol.ts'
import './chart.css'
import { later } from '../../page/later.ts'
import * as text from './text.ts'

const DepthChart = later(async () => (await import('./depth-chart.tsx')).DepthChart)
const FundingChart = later(async () => (await import('./funding-chart.tsx')).FundingChart)

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
  const tabs = () => CHART_TABS.filter((name) => name !== 'funding' || kind() !== 'SPOT')
  createEffect(() => {
    if (kind() === 'SPOT' && tab() === 'funding') setTab('price')
  })
  return (
    <section class="panel chart" aria-label={text.title}>
      <div class="panel-head">
        <fieldset>
          <legend class="hidden">{text.views}</legend>
          <For each={tabs()}>
            {(name) => (
              <button type="button" aria-pressed={tab() === name} onClick={() => setTab(name)}>
                {text.tabs[name]}
              </button>
            )}
          </For>
        </fieldset>
        <Show when={tab() === 'price'}>
          <ResolutionChoice venue={props.venue} />
          <fieldset>
            <legend class="hidden">{text.lines}</legend>
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
      <legend class="hidden">{text.interval}</legend>
      <For each={QUICK}>
        {(resolution) => (
          <button
            type="button"
            aria-pressed={chosen() === resolution}
            onClick={() => choose(resolution)}
          >
            {text.intervals[resolution]}
          </button>
        )}
      </For>
      <label>
        <span class="hidden">{text.allIntervals}</span>
        <select
          value={chosen()}
          onInput={({ currentTarget }) => choose(RESOLUTIONS[currentTarget.selectedIndex] ?? '5')}
        >
          <For each={RESOLUTIONS}>
            {(resolution) => <option value={resolution}>{text.intervals[resolution]}</option>}
          </For>
        </select>
      </label>
    </fieldset>
  )
}

/** The worker keeps it while another tab is shown, and so does this. */
let chosenBefore: Resolution = '5'

const Toggle = (
  props: Readonly<{ name: 'mark' | 'index'; isOn: boolean; turn: (isOn: boolean) => void }>,
) => (
  <button
    type="button"
    class={`line-${props.name}`}
    aria-pressed={props.isOn}
    onClick={() => props.turn(!props.isOn)}
  >
    {text.lineNames[props.name]}
  </button>
)
