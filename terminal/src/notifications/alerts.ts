// Says what has just happened beyond the page: by the system's notifications, and by a sound.
import type { SettingsStore } from '../settings/settings.ts'
import type { Alert } from '../worker/notifications/notification-protocol.ts'

/** Hz and seconds: one short, quiet tone. */
const TONE = { hz: 660, seconds: 0.12, gain: 0.08 }
/** Several at once are one sound. */
const QUIET_MS = 400

let audio: AudioContext | undefined
let lastMs = -QUIET_MS

/** Returns what is done with an alert, as the settings have it. */
export const alertBy =
  ({ chosen }: SettingsStore) =>
  (alert: Alert): void => {
    if (chosen.hasSounds) playTone()
    if (!chosen.hasSystemAlerts || !document.hidden || permission() !== 'granted') return
    // The same one from two tabs is one for the system.
    const shown = new Notification(alert.title, { body: alert.text, tag: alert.id })
    shown.onclick = () => window.focus()
  }

/** What the browser lets the page do; undefined where it has no such thing. */
export const permission = (): NotificationPermission | undefined =>
  'Notification' in window ? Notification.permission : undefined

/** Asks the person, after a click of theirs. True: the system may show what happens. */
export async function askPermission(): Promise<boolean> {
  if (permission() === undefined) return false
  return (await Notification.requestPermission()) === 'granted'
}

/** Plays the tone. A browser lets it sound once somebody has clicked in the page. */
export function playTone(): void {
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
