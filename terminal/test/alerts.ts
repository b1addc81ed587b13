// Writes down by what else a page says that something has happened: the system's notifications,
// which still are the browser's own, and tones.
import type { Page } from 'playwright-core'

export type Alerts = Readonly<{
  shown: readonly Readonly<{ title: string; body: string; tag: string }>[]
  tones: number
}>

type Watched = typeof globalThis & {
  openvenueAlerts: {
    shown: { title: string; body: string; tag: string }[]
    tones: number
    lastMs: number
  }
}
/** Several at once are one sound. */
const QUIET_MS = 400

/** Writes down from now on. */
export const watchAlerts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Watched['openvenueAlerts'] = { shown: [], tones: 0, lastMs: 0 }
    const watched = globalThis as Watched
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

/** Returns what there was since. */
export const readAlerts = (page: Page): Promise<Alerts> =>
  page.evaluate(() => {
    const { shown, tones } = (globalThis as Watched).openvenueAlerts
    return { shown, tones }
  })

/** Waits until the next one would be a tone of its own. */
export const untilQuiet = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (ms) => performance.now() - (globalThis as Watched).openvenueAlerts.lastMs > ms,
    QUIET_MS,
  )
