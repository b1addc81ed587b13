// Asks before orders are cancelled or positions closed, and how much of one position is.
import { Show } from 'solid-js'
import type { SettingsStore } from '../settings/settings.ts'
import { later } from '../shell/later.ts'
import { ModalDialog } from '../shell/modal-dialog.tsx'
import type { Venue } from '../venue.ts'
import type { Asked, Ending } from './ending.ts'

const CloseDialog = later(async () => (await import('./close-dialog.tsx')).CloseDialog)

type Props = Readonly<{ venue: Venue; ending: Ending; settings: SettingsStore }>

export const EndingDialogs = (props: Props) => (
  <>
    <Show when={props.ending.asked()} keyed>
      {(asked) => <AskDialog asked={asked} ending={props.ending} settings={props.settings} />}
    </Show>
    <Show when={props.ending.closing()} keyed>
      {(market) => (
        <CloseDialog venue={props.venue} market={market} onClose={() => props.ending.close('')} />
      )}
    </Show>
  </>
)

type AskProps = Readonly<{ asked: Asked; ending: Ending; settings: SettingsStore }>

const AskDialog = (props: AskProps) => (
  <ModalDialog label={props.asked.title} onClose={(value) => props.ending.answer(value === 'yes')}>
    <ul>
      {props.asked.lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
    <form method="dialog">
      <label class="check">
        <input
          type="checkbox"
          checked={props.settings.chosen.asksFirst}
          onInput={(event) => props.settings.choose({ asksFirst: event.currentTarget.checked })}
        />
        Ask the next time, too
      </label>
      <div class="modal-actions">
        <button type="submit" value="no">
          No
        </button>
        <button type="submit" value="yes" class="primary" autofocus>
          {props.asked.yes}
        </button>
      </div>
    </form>
  </ModalDialog>
)
