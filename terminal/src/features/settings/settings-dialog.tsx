// The settings, in a dialog below their button.
import { For, onMount } from 'solid-js'
import { openLightly } from '../../page/light-dialog.ts'
import { MOTIONS, PALETTES, type SettingsStore, THEMES } from './settings.ts'
import './settings.css'
import * as text from './text.ts'

export function SettingsDialog(props: Readonly<{ settings: SettingsStore; onClose: () => void }>) {
  const { settings } = props
  let dialog: HTMLDialogElement | undefined
  onMount(() => openLightly(dialog))
  return (
    <dialog
      ref={dialog}
      class="settings"
      aria-label={text.settings}
      onClose={() => props.onClose()}
    >
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
    </dialog>
  )
}

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
