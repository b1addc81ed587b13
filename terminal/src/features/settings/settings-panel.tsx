// Appearance settings, and the button that pauses updates.
import { For } from 'solid-js'
import { MOTIONS, PALETTES, type SettingsStore, THEMES } from './settings.ts'
import * as text from './text.ts'

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
        title={text.pausesUpdates}
        onClick={() => props.freeze(!props.isFrozen)}
      >
        <Sign path="M5 3v10M11 3v10" />
        <span class="hidden">{text.pauseUpdates}</span>
      </button>
      <button type="button" class="sign" popovertarget={ID} title={text.settings}>
        <Sign path="M2 4h6M12 4h2M10 2v4M2 8h2M8 8h6M6 6v4M2 12h6M12 12h2M10 10v4" />
        <span class="hidden">{text.settings}</span>
      </button>
      <section class="settings" id={ID} popover="auto" aria-label={text.settings}>
        <Choice
          name={text.theme}
          choices={THEMES}
          chosen={settings.chosen.theme}
          choose={(theme) => settings.choose({ theme })}
        />
        <Choice
          name={text.palette}
          choices={PALETTES}
          chosen={settings.chosen.palette}
          choose={(palette) => settings.choose({ palette })}
        />
        <Choice
          name={text.motion}
          choices={MOTIONS}
          chosen={settings.chosen.motion}
          choose={(motion) => settings.choose({ motion })}
        />
        <Check
          label={text.mirrorLayout}
          isOn={settings.chosen.isMirrored}
          turn={(isMirrored) => settings.choose({ isMirrored })}
        />
        <Check
          label={text.askFirst}
          isOn={settings.chosen.asksFirst}
          turn={(asksFirst) => settings.choose({ asksFirst })}
        />
        <Check
          label={text.keepAmount}
          isOn={settings.chosen.keepsSize}
          turn={(keepsSize) => settings.choose({ keepsSize })}
        />
        <p class="quiet">
          {text.press} <kbd>?</kbd> {text.forShortcuts} <kbd>{text.commandsKey}</kbd>{' '}
          {text.forCommands}
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

const Check = (
  props: Readonly<{ label: string; isOn: boolean; turn: (isOn: boolean) => void }>,
) => (
  <label class="check">
    <input
      type="checkbox"
      checked={props.isOn}
      onInput={(event) => props.turn(event.currentTarget.checked)}
    />
    {props.label}
  </label>
)

type ChoiceProps<Value extends string> = Readonly<{
  name: string
  choices: readonly Value[]
  chosen: Value
  choose: (value: Value) => void
}>

const CHOICE_NAMES: Readonly<Record<string, string>> = {
  system: text.systemDefault,
  dark: text.darkTheme,
  light: text.lightTheme,
  'green-red': text.greenRed,
  'blue-orange': text.blueOrange,
  less: text.noMotion,
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <fieldset>
      <legend>{props.name}</legend>
      <For each={props.choices}>
        {(value) => (
          <label class="check">
            <input
              type="radio"
              name={props.name}
              checked={props.chosen === value}
              onInput={() => props.choose(value)}
            />
            {CHOICE_NAMES[value]}
          </label>
        )}
      </For>
    </fieldset>
  )
}
