// Hides a page, as if another tab were in front of it, and counts its activity meanwhile.
import type { Page } from 'playwright-core'
import type { HiddenFigures } from './figures.ts'
import type { FrameWindow } from './frame-probe.ts'

/** Time after which the display must be correct again. */
const CAUGHT_UP_MS = 500

/** Hides the page while `meanwhile` runs. */
export async function measureHidden(
  page: Page,
  meanwhile: () => Promise<unknown>,
): Promise<HiddenFigures> {
  await setHidden(page, true)
  // Pending messages are handled before the worker answers this, and those of the page after it.
  await page.workers()[0]?.evaluate(() => 0)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await count(page)
  await meanwhile()
  const { posts, mutations, titles } = await read(page)
  await count(page)
  return { posts, mutations, titles, ...(await showAgain(page)) }
}

/**
 * Headless Chromium shows all of its pages at once, so the page is given the visibility state and
 * the event, which is all that it sees in a real window, too.
 */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

const count = (page: Page) =>
  page.evaluate(() => {
    const { openvenueFrames: figures } = globalThis as unknown as FrameWindow
    Object.assign(figures, { posts: 0, mutations: 0, titles: 0, isCounting: true })
  })

const read = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as FrameWindow).openvenueFrames)

/** Shows the page again, and waits for the first frame with new data. */
async function showAgain(page: Page): Promise<Pick<HiddenFigures, 'postsAfter' | 'caughtUpMs'>> {
  const waiting = page.evaluate(async (msMax) => {
    const { openvenueFrames: figures } = globalThis as unknown as FrameWindow
    const frame = () => new Promise(requestAnimationFrame)
    while (document.hidden) await frame()
    const beganMs = performance.now()
    while (figures.posts === 0 && performance.now() - beganMs < msMax) await frame()
    return { postsAfter: figures.posts, caughtUpMs: performance.now() - beganMs }
  }, CAUGHT_UP_MS)
  await setHidden(page, false)
  return waiting
}
