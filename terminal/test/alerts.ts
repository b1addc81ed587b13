// Records the page's alerts: system notifications, which are still the browser's own, and tones.
import type { Page } from 'playwright-core'

type Alerts = Readonly<{
  shown: readonly Readonly<{ title: string; body: string; tag: string }>[]
  tones: number
}>

type AlertWindow = typeof globalThis & {
  openvenueAlerts: {
    shown: { title: string; body: string; tag: string }[]
    tones: number
    lastMs: number
  }
}
/** Alerts within this time share one sound. */
const QUIET_MS = 400

export const watchAlerts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: AlertWindow['openvenueAlerts'] = { shown: [], tones: 0, lastMs: 0 }
    const watched = globalThis as AlertWindow
    watched.openvenueAlerts = seen
    const Own = Notification
    watched.Notification = class extends Own {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        seen.shown.push({ title: this.title, body: this.body, tag: this.tag })
      }
    }
    const begin = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...when) {
      seen.tones += 1
      seen.lastMs = performance.now()
      return begin.apply(this, when)
    }
  })

export const readAlerts = (page: Page): Promise<Alerts> =>
  page.evaluate(() => {
    const { shown, tones } = (globalThis as AlertWindow).openvenueAlerts
    return { shown, tones }
  })

/** Waits until the next alert would have its own tone. */
export const untilQuiet = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (ms) => performance.now() - (globalThis as AlertWindow).openvenueAlerts.lastMs > ms,
    QUIET_MS,
  )
