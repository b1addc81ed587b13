// Costs of the page that are the same on any machine: requests, layout shifts, the size of its
// tree, and the activity of a hidden page. Times are measured by the bench.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { PATIENCE_MS, startOwnBrowser } from './browser.ts'
import { untilBlocks } from './polling.ts'
import { untilBook } from './shown-market.ts'
import type { FrameWindow } from './speed/frame-probe.ts'
import { openWatched } from './speed/frames.ts'
import { measureHidden } from './speed/hide.ts'
import { measureLoads } from './speed/loads.ts'
import { countTraffic } from './speed/traffic.ts'
import { serveWatchedPage, type WatchedPage } from './speed/watched-page.ts'

const QUERY = '/?market=ETH-PERP'

/** Maximum layout shift of a first visit. */
const LAYOUT_SHIFT_MAX = 0.02
/** Files of the page and first answers of the venue, without the chart. */
const REQUESTS_MAX = 16
const SECONDS = 3
const BLOCKS = 10
/** Updates of trades to wait for; twice as many of the book. */
const UPDATES = 5
/** Allowed growth: a table may have one more row, and a warning may appear. */
const ELEMENTS_SPARE = 100
const TRADES_MAX = 50

describe('the page while open', () => {
  let venue: TestVenue
  let browser: Browser
  let watched: WatchedPage
  let url = ''
  before(async () => {
    venue = await startVenue()
    url = venue.devnet.apiUrl
    // A first visit needs a browser in which no other page was open.
    browser = await startOwnBrowser()
    watched = await serveWatchedPage(url)
  })
  after(async () => {
    watched?.close()
    await browser?.close()
    await venue?.remove()
  })

  test('the page requests little before its first book, and opens one socket', async () => {
    const traffic = await countTraffic(browser, `${url}${QUERY}`, SECONDS)
    const { requestsBefore } = traffic
    assert.ok(requestsBefore.length <= REQUESTS_MAX, requestsBefore.join('\n'))
    assert.equal(traffic.sockets, 1)
    assert.equal(new Set(traffic.channels).size, traffic.channels.length)
    const scripts = traffic.scripts.join(' ')
    assert.match(scripts, /price-chart/)
    assert.doesNotMatch(
      scripts,
      /account-part|account-actions|key-signer/,
      'nobody has an account here',
    )
  })

  test('the page renders everything in its final place', async () => {
    const [[load] = []] = await measureLoads(browser, [`${url}${QUERY}`], 1)
    assert.ok(load !== undefined && load.layoutShift <= LAYOUT_SHIFT_MAX, `${load?.layoutShift}`)
  })

  test('a first visit requests each file once, those of the worker as preloads', async () => {
    const page = await browser.newPage()
    try {
      const warnings: string[] = []
      page.on('console', (message) => {
        if (message.text().includes('preload')) warnings.push(message.text())
      })
      await page.goto(`${watched.url}${QUERY}`)
      await untilBook(page)
      const worker = page.locator('link[rel=modulepreload][href*=venue-worker]')
      assert.equal(await worker.count(), 1)
      assert.deepEqual(warnings, [])
      const files = watched.requested.filter((path) => /\.(js|css|svg)$/.test(path))
      assert.deepEqual(files, [...new Set(files)])
    } finally {
      await page.context().close()
    }
  })

  test('the page does not grow over time, and does nothing while it is hidden', async () => {
    const page = await openWatched(browser, `${watched.url}${QUERY}`)
    try {
      await untilUpdates(page, UPDATES)
      const before = await countElements(page)
      await untilUpdates(page, 2 * UPDATES)
      const after = await countElements(page)
      assert.ok(after - before <= ELEMENTS_SPARE, `${before} elements, then ${after}`)
      const trades = await page.locator('.trades tbody tr').count()
      assert.ok(trades > 0 && trades <= TRADES_MAX, `${trades} trades`)

      const beganMs = performance.now()
      const hidden = await measureHidden(page, async () => {
        await untilBlocks(url, BLOCKS)
        await untilTitles(page)
      })
      const seconds = (performance.now() - beganMs) / 1000
      assert.ok(hidden.titles <= seconds + 1, `${hidden.titles} titles in ${seconds} s`)
      assert.equal(hidden.posts, 0, 'but for the title')
      assert.equal(hidden.mutations, 0)
      assert.equal(hidden.postsAfter, 1, 'one post has all that was missed')
    } finally {
      await page.context().close()
    }
  })
})

const countElements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

const untilUpdates = (page: Page, count: number) =>
  page.waitForFunction(
    (least) => (globalThis as unknown as FrameWindow).openvenueFrames.bookMs.length >= least,
    count,
    { timeout: 2 * PATIENCE_MS },
  )

/** Waits until the title of the tab has shown other prices. */
async function untilTitles(page: Page): Promise<void> {
  const before = await page.title()
  const isOther = async () => (await page.title()) !== before
  await until(`the tab shows something other than ${before}`, isOther, PATIENCE_MS)
}
