// The venue's notifications of the account: how many are unread, their list, and how else they are
// said: by the system, by a sound.
import { createSignal, For, Show } from 'solid-js'
import type { SettingsStore } from '../settings/settings.ts'
import type { Venue } from '../venue.ts'
import type { NotificationRow } from '../worker/notifications/notification-protocol.ts'
import { alertBy, askPermission, playTone } from './alerts.ts'
import './notifications.css'

const ID = 'notifications'
const SIGNS = { info: '•', warning: '▲', critical: '▲▲' } as const

type TrayProps = Readonly<{ venue: Venue; settings: SettingsStore }>

export function NotificationTray(props: TrayProps) {
  const shown = () => props.venue.shown.notifications
  props.venue.onAlert(alertBy(props.settings))
  const read = (id: string | undefined) =>
    void props.venue.ask('readNotifications', { id }).catch(() => {})
  return (
    <>
      <button type="button" class="sign tray" popovertarget={ID} title="Notifications">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 4h8M6 8h8M6 12h8M2 4h1M2 8h1M2 12h1" />
        </svg>
        <span class="hidden">Notifications</span>
        <Show when={shown().unread}>
          <span class="unread">
            {shown().unread}
            <span class="hidden"> unread</span>
          </span>
        </Show>
      </button>
      <section class="notifications" id={ID} popover="auto" aria-label="Notifications">
        <div class="notifications-head">
          <strong>Notifications</strong>
          <button type="button" disabled={shown().unread === ''} onClick={() => read(undefined)}>
            Mark all as read
          </button>
        </div>
        <Show
          when={shown().rows.length > 0}
          fallback={<p class="quiet">Nothing has happened yet.</p>}
        >
          <ul>
            <For each={shown().rows}>{(row) => <Row row={row} read={() => read(row.id)} />}</For>
          </ul>
        </Show>
        <Choices settings={props.settings} />
      </section>
    </>
  )
}

const Row = (props: Readonly<{ row: NotificationRow; read: () => void }>) => (
  <li classList={{ new: !props.row.isRead, [props.row.tone]: true }}>
    <p>
      <strong>
        <span aria-hidden="true">{SIGNS[props.row.tone]}</span> {props.row.title}
      </strong>
      <time class="quiet">{props.row.time}</time>
    </p>
    <p>
      {props.row.text}
      <Show when={!props.row.isRead}>
        {' '}
        <button
          type="button"
          aria-label={`Mark as read: ${props.row.title}, ${props.row.time}`}
          onClick={() => props.read()}
        >
          mark as read
        </button>
      </Show>
    </p>
  </li>
)

function Choices(props: Readonly<{ settings: SettingsStore }>) {
  const { settings } = props
  const [isRefused, setRefused] = createSignal(false)
  const chooseSystem = async (box: HTMLInputElement) => {
    const isAllowed = box.checked && (await askPermission())
    setRefused(box.checked && !isAllowed)
    settings.choose({ hasSystemAlerts: isAllowed })
    box.checked = isAllowed
  }
  return (
    <div class="notifications-choices">
      <label class="check">
        <input
          type="checkbox"
          checked={settings.chosen.hasSystemAlerts}
          onInput={(event) => void chooseSystem(event.currentTarget)}
        />
        Also by the system, while the page is hidden
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.chosen.hasSounds}
          onInput={(event) => {
            settings.choose({ hasSounds: event.currentTarget.checked })
            if (event.currentTarget.checked) playTone()
          }}
        />
        With a sound
      </label>
      <Show when={isRefused()}>
        <p role="status">▲ The browser does not allow it: its settings of this site do.</p>
      </Show>
    </div>
  )
}
