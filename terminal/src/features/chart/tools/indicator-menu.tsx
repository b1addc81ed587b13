// The menu of indicators, found by name.
import { createSignal, For } from 'solid-js'
import { ModalDialog } from '../../../page/modal-dialog.tsx'
import { chartOptions, setChartOptions } from '../chart-options.ts'
import { indicatorNames } from '../kline/kline-indicators.ts'
import * as text from './text.ts'

export function IndicatorMenu(props: Readonly<{ close: () => void }>) {
  const [search, setSearch] = createSignal('')
  const titles: Readonly<Record<string, string>> = text.indicatorNames
  const found = () => {
    const typed = search().trim().toLowerCase()
    return indicatorNames().filter((name) =>
      `${name} ${titles[name] ?? ''}`.toLowerCase().includes(typed),
    )
  }
  const isOn = (name: string) => chartOptions.indicators.includes(name)
  const turn = (name: string) => {
    const others = chartOptions.indicators.filter((other) => other !== name)
    setChartOptions({ indicators: isOn(name) ? others : [...others, name] })
  }
  return (
    <ModalDialog label={text.indicators} onClose={props.close}>
      <input
        type="search"
        aria-label={text.findIndicator}
        placeholder={text.findIndicator}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <div class="tool-list">
        <For each={found()} fallback={<p>{text.noIndicator}</p>}>
          {(name) => (
            <button type="button" aria-pressed={isOn(name)} onClick={() => turn(name)}>
              <b>{name}</b> {titles[name]}
            </button>
          )}
        </For>
      </div>
      <form method="dialog" class="modal-actions">
        <button type="submit">{text.closeMenu}</button>
      </form>
    </ModalDialog>
  )
}
