// Records changes of a page's live regions, as a screen reader would announce them.
import type { Page } from 'playwright-core'

type Announcement = Readonly<{ region: string; politeness: string; text: string }>

type RegionsWindow = typeof globalThis & { openvenueAnnounced: Announcement[] }

/** Starts recording, and discards earlier announcements. */
export const listenToRegions = (page: Page): Promise<void> => page.evaluate(listen)

function listen(): void {
  const REGIONS = '[aria-live], [role="status"], [role="alert"], [role="log"], output'
  const POLITE = '[aria-live="polite"], [role="status"], [role="log"], output'
  const SILENT = '[aria-hidden="true"], [aria-live="off"]'
  const heard = globalThis as RegionsWindow
  const isBegun = heard.openvenueAnnounced !== undefined
  heard.openvenueAnnounced = []
  if (isBegun) return
  const announced = ({ target, addedNodes }: MutationRecord): Announcement | undefined => {
    const element = target instanceof Element ? target : target.parentElement
    const region = element?.closest(REGIONS)
    if (!region || region.closest(SILENT) !== null) return undefined
    const added = [...addedNodes].map(({ textContent }) => textContent ?? '').join(' ')
    return {
      region: region.className || region.tagName,
      politeness: region.matches(POLITE) ? 'polite' : 'assertive',
      text: target instanceof Text ? target.data : added,
    }
  }
  new MutationObserver((changes) => {
    const all = changes.map(announced)
    heard.openvenueAnnounced.push(...all.filter((one) => one !== undefined))
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}

/** Returns the announcements recorded so far. */
export const readAnnounced = (page: Page): Promise<readonly Announcement[]> =>
  page.evaluate(() => (globalThis as RegionsWindow).openvenueAnnounced)

/** Waits until block, prices and trades, and the book, have each been redrawn a number of times. */
export const untilTicks = (page: Page, least: Readonly<{ all: number; book: number }>) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const textOf = (selector: string) =>
          [...document.querySelectorAll(selector)].map(({ textContent }) => textContent).join()
        const read = () => ({
          all: textOf('.trust, .facts, .trades tbody, .book tbody, .rows tbody'),
          book: textOf('.book tbody'),
        })
        let before = read()
        const changes = { all: 0, book: 0 }
        const look = () => {
          const now = read()
          if (now.all !== before.all) changes.all += 1
          if (now.book !== before.book) changes.book += 1
          before = now
          if (changes.all >= wanted.all && changes.book >= wanted.book) resolve()
          else requestAnimationFrame(look)
        }
        look()
      }),
    least,
  )
