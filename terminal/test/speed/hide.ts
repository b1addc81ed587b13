// Hides a page, as another tab in front of it does, and counts what it does meanwhile.
import type { Page } from 'playwright-core'
import type { HiddenFigures } from './figures.ts'
import type { Framed } from './frame-probe.ts'

/** What is on its way when the page is hidden may still come. */
const SETTLED_MS = 200
/** So much later it must be right. */
const CAUGHT_UP_MS = 500

/** Hides the page for that long. */
export async function measureHidden(page: Page, forMs: number): Promise<HiddenFigures> {
  await setHidden(page, true)
  await page.waitForTimeout(SETTLED_MS)
  await count(page)
  await page.waitForTimeout(forMs)
  const { posts, mutations } = await read(page)
  await count(page)
  const caughtUpMs = await showAgain(page)
  const { posts: postsAfter } = await read(page)
  return { posts, mutations, postsAfter, caughtUpMs }
}

/**
 * Chromium without a window shows all of its pages at once: the page is given the word that it is
 * hidden, and the event, which is all that it knows of it in a window, too.
 */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

const count = (page: Page) =>
  page.evaluate(() => {
    const { openvenueFrames: figures } = globalThis as unknown as Framed
    Object.assign(figures, { posts: 0, mutations: 0, isCounting: true })
  })

const read = (page: Page) => page.evaluate(() => (globalThis as unknown as Framed).openvenueFrames)

/** Shows the page again, and returns how long the first post took after that. */
async function showAgain(page: Page): Promise<number> {
  const waiting = page.evaluate(async (msMax) => {
    const { openvenueFrames: figures } = globalThis as unknown as Framed
    const frame = () => new Promise(requestAnimationFrame)
    while (document.hidden) await frame()
    const beganMs = performance.now()
    while (figures.posts === 0 && performance.now() - beganMs < msMax) await frame()
    return performance.now() - beganMs
  }, CAUGHT_UP_MS)
  await setHidden(page, false)
  return waiting
}
