// The choices of how the page looks, and the switch that freezes the numbers.
import { For } from 'solid-js'
import type { SettingsStore } from '../settings/settings.ts'
import { MOTIONS, PALETTES, THEMES } from '../settings/settings-text.ts'

type PanelProps = Readonly<{
  settings: SettingsStore
  isFrozen: boolean
  freeze: (isFrozen: boolean) => void
}>

const ID = 'settings'

export function SettingsPanel(props: PanelProps) {
  const { settings } = props
  return (
    <>
      <button
        type="button"
        aria-pressed={props.isFrozen}
        title="Freezes the numbers, to be read in peace"
        onClick={() => props.freeze(!props.isFrozen)}
      >
        Freeze
      </button>
      <button type="button" popovertarget={ID}>
        Settings
      </button>
      <section class="settings" id={ID} popover="auto" aria-label="Settings">
        <Choice
          name="Theme"
          choices={THEMES}
          chosen={settings.chosen.theme}
          choose={(theme) => settings.choose({ theme })}
        />
        <Choice
          name="Colours"
          choices={PALETTES}
          chosen={settings.chosen.palette}
          choose={(palette) => settings.choose({ palette })}
        />
        <Choice
          name="Motion"
          choices={MOTIONS}
          chosen={settings.chosen.motion}
          choose={(motion) => settings.choose({ motion })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={settings.chosen.isMirrored}
            onInput={(event) => settings.choose({ isMirrored: event.currentTarget.checked })}
          />
          Mirror the layout
        </label>
      </section>
    </>
  )
}

type ChoiceProps<One extends string> = Readonly<{
  name: string
  choices: readonly One[]
  chosen: One
  choose: (one: One) => void
}>

const WORDS: Readonly<Record<string, string>> = {
  system: 'as the system',
  dark: 'dark',
  light: 'light',
  'green-red': 'green and red',
  'blue-orange': 'blue and orange',
  less: 'none',
}

function Choice<One extends string>(props: ChoiceProps<One>) {
  return (
    <fieldset>
      <legend>{props.name}</legend>
      <For each={props.choices}>
        {(one) => (
          <label class="check">
            <input
              type="radio"
              name={props.name}
              checked={props.chosen === one}
              onInput={() => props.choose(one)}
            />
            {WORDS[one]}
          </label>
        )}
      </For>
    </fieldset>
  )
}
