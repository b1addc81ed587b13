// The toolbar of the price chart: intervals, lines, chart type, scale and full screen.
import { createSignal, For, onCleanup } from 'solid-js'
import { chartOptions, setChartOptions } from './chart-options.ts'
import { CANDLE_TYPE_NAMES, RESOLUTIONS, type Resolution, SCALE_NAMES } from './chart-protocol.ts'
import * as text from './text.ts'
import type { ToolMenuName } from './tools/chart-tools.tsx'

/** The others are in the list beside them. */
const QUICK: readonly Resolution[] = ['1', '5', '15', '60', '240', '1D']

type ToolbarProps = Readonly<{
  panel: HTMLElement | undefined
  openMenu: (menu: ToolMenuName) => void
}>

export function ChartToolbar(props: ToolbarProps) {
  return (
    <>
      <ResolutionChoice />
      <fieldset>
        <legend class="hidden">{text.lines}</legend>
        <LineToggle name="mark" />
        <LineToggle name="index" />
      </fieldset>
      <fieldset>
        <legend class="hidden">{text.look}</legend>
        <Choice
          label={text.chartType}
          names={CANDLE_TYPE_NAMES}
          labels={text.chartTypes}
          value={chartOptions.type}
          choose={(type) => setChartOptions({ type })}
        />
        <Choice
          label={text.scale}
          names={SCALE_NAMES}
          labels={text.scales}
          value={chartOptions.scale}
          choose={(scale) => setChartOptions({ scale })}
        />
        <ToolButton menu="indicators" sign="ƒx" name={text.indicators} open={props.openMenu} />
        <ToolButton menu="drawings" sign="✎" name={text.drawings} open={props.openMenu} />
        <FullScreen panel={props.panel} />
      </fieldset>
    </>
  )
}

function ResolutionChoice() {
  const choose = (resolution: Resolution) => setChartOptions({ resolution })
  return (
    <fieldset class="resolutions">
      <legend class="hidden">{text.interval}</legend>
      <For each={QUICK}>
        {(resolution) => (
          <button
            type="button"
            aria-pressed={chartOptions.resolution === resolution}
            onClick={() => choose(resolution)}
          >
            {text.intervals[resolution]}
          </button>
        )}
      </For>
      <Choice
        label={text.allIntervals}
        names={RESOLUTIONS}
        labels={text.intervals}
        value={chartOptions.resolution}
        choose={choose}
      />
    </fieldset>
  )
}

type ChoiceProps<Name extends string> = Readonly<{
  label: string
  names: readonly Name[]
  labels: Readonly<Record<Name, string>>
  value: Name
  choose: (name: Name) => void
}>

function Choice<Name extends string>(props: ChoiceProps<Name>) {
  const choose = ({ selectedIndex }: HTMLSelectElement) => {
    const name = props.names[selectedIndex]
    if (name !== undefined) props.choose(name)
  }
  return (
    <label title={props.label}>
      <span class="hidden">{props.label}</span>
      <select value={props.value} onInput={({ currentTarget }) => choose(currentTarget)}>
        <For each={props.names}>{(name) => <option value={name}>{props.labels[name]}</option>}</For>
      </select>
    </label>
  )
}

function LineToggle(props: Readonly<{ name: 'mark' | 'index' }>) {
  const isOn = () => chartOptions.lines.includes(props.name)
  const turn = () => {
    const others = chartOptions.lines.filter((name) => name !== props.name)
    setChartOptions({ lines: isOn() ? others : [...others, props.name] })
  }
  return (
    <button type="button" class={`line-${props.name}`} aria-pressed={isOn()} onClick={turn}>
      {text.lineNames[props.name]}
    </button>
  )
}

type ToolButtonProps = Readonly<{
  menu: ToolMenuName
  sign: string
  name: string
  open: (menu: ToolMenuName) => void
}>

const ToolButton = (props: ToolButtonProps) => (
  <button type="button" title={props.name} onClick={() => props.open(props.menu)}>
    <span aria-hidden="true">{props.sign}</span>
    <span class="hidden">{props.name}</span>
  </button>
)

function FullScreen(props: Readonly<{ panel: HTMLElement | undefined }>) {
  const isFull = () => document.fullscreenElement !== null
  const [isOn, setOn] = createSignal(isFull())
  const change = () => setOn(isFull())
  document.addEventListener('fullscreenchange', change)
  onCleanup(() => document.removeEventListener('fullscreenchange', change))
  const turn = () => {
    const turning = isFull() ? document.exitFullscreen() : props.panel?.requestFullscreen()
    // A browser may refuse it: the chart stays as it is.
    turning?.catch(() => {})
  }
  return (
    <button type="button" aria-pressed={isOn()} title={text.fullScreen} onClick={turn}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M9 2h5v5M14 2 9 7M7 14H2V9M2 14l5-5" fill="none" stroke="currentColor" />
      </svg>
      <span class="hidden">{text.fullScreen}</span>
    </button>
  )
}
