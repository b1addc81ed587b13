// The account's notifications: the unread count, the list, and the choice of system notifications
// and a sound.
import { createSignal, For, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Alert, NotificationRow } from './notification-protocol.ts'
import './notifications.css'
import * as text from './text.ts'

/** Hz and seconds: one short, quiet tone. */
const TONE = { hz: 660, seconds: 0.12, gain: 0.08 }
/** Events within this time share one sound. */
const QUIET_MS = 400
const ID = 'notifications'
const SIGNS = { info: '•', warning: '▲', critical: '▲▲' } as const

export function NotificationTray(props: Readonly<{ venue: Venue; settings: SettingsStore }>) {
  const shown = () => props.venue.shown.notifications
  props.venue.onAlert(alertBy(props.settings))
  const read = (id: string | undefined) =>
    void props.venue.ask('readNotifications', { id }).catch(() => {})
  return (
    <>
      <button type="button" class="sign tray" popovertarget={ID} title={text.title}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 4h8M6 8h8M6 12h8M2 4h1M2 8h1M2 12h1" />
        </svg>
        <span class="hidden">{text.title}</span>
        <Show when={shown().unread}>
          <span class="unread">
            {shown().unread}
            <span class="hidden">{text.unread}</span>
          </span>
        </Show>
      </button>
      <section class="notifications" id={ID} popover="auto" aria-label={text.title}>
        <div class="notifications-head">
          <strong>{text.title}</strong>
          <button type="button" disabled={shown().unread === ''} onClick={() => read(undefined)}>
            {text.markAllRead}
          </button>
        </div>
        <Show when={shown().rows.length > 0} fallback={<p class="quiet">{text.none}</p>}>
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
          aria-label={text.markRowRead(props.row.title, props.row.time)}
          onClick={() => props.read()}
        >
          {text.markRead}
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
        {text.systemNotifications}
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
        {text.withSound}
      </label>
      <Show when={isRefused()}>
        <p role="status">{text.blockedByBrowser}</p>
      </Show>
    </div>
  )
}

let audio: AudioContext | undefined
let lastMs = -QUIET_MS

/** Returns the handler of an alert, according to the settings. */
const alertBy =
  ({ chosen }: SettingsStore) =>
  (alert: Alert): void => {
    if (chosen.hasSounds) playTone()
    if (!chosen.hasSystemAlerts || !document.hidden || permission() !== 'granted') return
    // The tag merges the same notification from two tabs.
    const shown = new Notification(alert.title, { body: alert.text, tag: alert.id })
    shown.onclick = () => window.focus()
  }

/** The browser's permission; undefined if it has no notifications. */
const permission = (): NotificationPermission | undefined =>
  'Notification' in window ? Notification.permission : undefined

/** Asks for permission after a click. True: system notifications are allowed. */
async function askPermission(): Promise<boolean> {
  if (permission() === undefined) return false
  return (await Notification.requestPermission()) === 'granted'
}

/** Plays the tone. Browsers allow sound only after a click in the page. */
function playTone(): void {
  if (performance.now() - lastMs < QUIET_MS) return
  lastMs = performance.now()
  audio ??= new AudioContext()
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()]
  const end = audio.currentTime + TONE.seconds
  oscillator.frequency.value = TONE.hz
  gain.gain.setValueAtTime(TONE.gain, audio.currentTime)
  gain.gain.exponentialRampToValueAtTime(TONE.gain / 100, end)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start()
  oscillator.stop(end)
}
