// The buttons that open the settings and pause updates.
import { createSignal, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import type { SettingsStore } from './settings.ts'
import * as text from './text.ts'

type PanelProps = Readonly<{
  settings: SettingsStore
  isFrozen: boolean
  freeze: (isFrozen: boolean) => void
}>

const SettingsDialog = later(async () => (await import('./settings-dialog.tsx')).SettingsDialog)

export function SettingsPanel(props: PanelProps) {
  const [isOpen, open] = createSignal(false)
  return (
    <>
      <button
        type="button"
        class="sign"
        aria-pressed={props.isFrozen}
        title={text.pausesUpdates}
        onClick={() => props.freeze(!props.isFrozen)}
      >
        <Sign path="M5 3v10M11 3v10" />
        <span class="hidden">{text.pauseUpdates}</span>
      </button>
      <button type="button" class="sign" title={text.settings} onClick={() => open(true)}>
        <Sign path="M2 4h6M12 4h2M10 2v4M2 8h2M8 8h6M6 6v4M2 12h6M12 12h2M10 10v4" />
        <span class="hidden">{text.settings}</span>
      </button>
      <Show when={isOpen()}>
        <SettingsDialog settings={props.settings} onClose={() => open(false)} />
      </Show>
    </>
  )
}

const Sign = (props: Readonly<{ path: string }>) => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path d={props.path} />
  </svg>
)
