// Appearance settings, and the button that pauses updates.
import { For } from 'solid-js'
import { MOTIONS, PALETTES, type SettingsStore, THEMES } from './settings.ts'

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
        class="sign"
        aria-pressed={props.isFrozen}
        title="Pauses live updates"
        onClick={() => props.freeze(!props.isFrozen)}
      >
        <Sign path="M5 3v10M11 3v10" />
        <span class="hidden">Pause updates</span>
      </button>
      <button type="button" class="sign" popovertarget={ID} title="Settings">
        <Sign path="M2 4h6M12 4h2M10 2v4M2 8h2M8 8h6M6 6v4M2 12h6M12 12h2M10 10v4" />
        <span class="hidden">Settings</span>
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
        <Check
          text="Ask before cancelling all or closing"
          isOn={settings.chosen.asksFirst}
          turn={(asksFirst) => settings.choose({ asksFirst })}
        />
        <Check
          text="Keep the amount after placing"
          isOn={settings.chosen.keepsSize}
          turn={(keepsSize) => settings.choose({ keepsSize })}
        />
        <p class="quiet">
          Press <kbd>?</kbd> for all shortcuts, <kbd>Ctrl K</kbd> for all commands.
        </p>
      </section>
    </>
  )
}

const Sign = (props: Readonly<{ path: string }>) => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path d={props.path} />
  </svg>
)

const Check = (props: Readonly<{ text: string; isOn: boolean; turn: (isOn: boolean) => void }>) => (
  <label class="check">
    <input
      type="checkbox"
      checked={props.isOn}
      onInput={(event) => props.turn(event.currentTarget.checked)}
    />
    {props.text}
  </label>
)

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
