// Loads the page repeatedly, each time as a first visit, and measures when its parts appear.
import type { Browser } from 'playwright-core'
import type { LoadFigures } from './figures.ts'
import { type LoadWindow, watchLoad } from './load-probe.ts'

/** Time for later content, mainly the chart, which may shift the layout, too. */
const AFTER_BOOK_MS = 1_000
const BOOK_MS_MAX = 30_000
/** The browser loads its own pages for a new window, which would be measured as well. */
const WINDOW_MS = 1_500

/** Loads each of `urls` `count` times, alternating between them. */
export async function measureLoads(
  browser: Browser,
  urls: readonly string[],
  count: number,
): Promise<readonly (readonly LoadFigures[])[]> {
  const all = urls.map((): LoadFigures[] => [])
  // The first load of each warms up the server, which compresses files then.
  for (const url of urls) await loadOnce(browser, url)
  for (let load = 0; load < count; load++)
    for (const [at, url] of urls.entries()) all[at]?.push(await loadOnce(browser, url))
  return all
}

async function loadOnce(browser: Browser, url: string): Promise<LoadFigures> {
  // A new context: no storage or cache of the previous load.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchLoad)
    await page.waitForTimeout(WINDOW_MS)
    await page.goto(url)
    await page.waitForFunction(
      () => (globalThis as unknown as LoadWindow).openvenueLoad.bookMs > 0,
      undefined,
      { timeout: BOOK_MS_MAX },
    )
    await page.waitForTimeout(AFTER_BOOK_MS)
    return await page.evaluate(() => (globalThis as unknown as LoadWindow).openvenueLoad)
  } finally {
    await context.close()
  }
}
