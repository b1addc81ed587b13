// Loads the page again and again, each time as somebody who was never here: what is seen when.
import type { Browser } from 'playwright-core'
import type { LoadFigures } from './figures.ts'
import { type Probed, watchLoad } from './load-probe.ts'

/** What comes after the book, the chart above all, may move things too. */
const AFTER_BOOK_MS = 1_000
const BOOK_MS_MAX = 30_000
/** A new window has the browser load pages of its own, which would be measured as well. */
const WINDOW_MS = 1_500

/** Loads each of `urls` `count` times, one after the other, in turns. */
export async function measureLoads(
  browser: Browser,
  urls: readonly string[],
  count: number,
): Promise<readonly (readonly LoadFigures[])[]> {
  const all = urls.map((): LoadFigures[] => [])
  // The first of each finds a cold server: compressed files are made then.
  for (const url of urls) await loadOnce(browser, url)
  for (let load = 0; load < count; load++)
    for (const [at, url] of urls.entries()) all[at]?.push(await loadOnce(browser, url))
  return all
}

async function loadOnce(browser: Browser, url: string): Promise<LoadFigures> {
  // Storage and cache of its own: nothing is left of the load before.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchLoad)
    await page.waitForTimeout(WINDOW_MS)
    await page.goto(url)
    await page.waitForFunction(
      () => (globalThis as unknown as Probed).openvenueLoad.bookMs > 0,
      undefined,
      { timeout: BOOK_MS_MAX },
    )
    await page.waitForTimeout(AFTER_BOOK_MS)
    return await page.evaluate(() => (globalThis as unknown as Probed).openvenueLoad)
  } finally {
    await context.close()
  }
}
