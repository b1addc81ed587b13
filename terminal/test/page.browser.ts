// The page in a real browser, on a separate venue: it shows the venue's data at every width, in
// both themes, and while the venue is down.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { PAGES, type PageName } from '../src/page/navigation.ts'
import { findBarriers } from './barriers.ts'
import { type OpenPage, openPage, PATIENCE_MS, startBrowser } from './browser.ts'
import { startPageVenue } from './page-venue.ts'
import { chooseMarket, goTo, readBook, readBoth, untilBook } from './shown-market.ts'
import { staticHost } from './static-host.ts'

const WIDTHS = [360, 768, 1280, 1920]
const AXE_WIDTHS = [360, 1280]
const HEIGHT = 900
const THEMES = ['dark', 'light'] as const
const NUMBERS_MIN = 20
/** Number of header values that must change. */
const FACTS_CHANGED = 2
/** Messages of the page when nothing answers. */
const AWAY = /connection lost|no answer|trying again/
/** Three times the usual restart time of a venue. */
const AGAIN_MS_MAX = 90_000

/**
 * An element of each page with its own data, or the text that it needs an account: there is none.
 */
const OWN: Readonly<Record<PageName, string>> = {
  trade: 'main.trade .trades tbody tr',
  markets: 'main.sheet .list tbody tr a',
  portfolio: 'main.sheet >> text=Connect a wallet and enable trading',
  accounts: 'main.sheet >> text=Connect a wallet and enable trading',
  keys: 'main.sheet >> text=Connect a wallet and enable trading',
  look: 'main.sheet input',
  status: 'main.sheet .facts-list dd.judged-good, main.sheet .facts-list .judged-good',
  faucet: 'main.sheet .facts-list dd',
  pools: 'main.sheet >> text=No pool host is configured',
}
const untilPage = (page: Page, name: PageName) => page.locator(OWN[name]).first().waitFor()

describe('the page', () => {
  let venue: TestVenue
  let browser: Browser
  let url = ''
  let opened: OpenPage
  before(async () => {
    venue = await startPageVenue()
    url = venue.devnet.apiUrl
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await venue?.remove()
  })
  afterEach(() => opened?.close())

  const open = async (options: Parameters<typeof openPage>[2] = {}, path = '/') => {
    opened = await openPage(browser, `${url}${path}`, options)
    await untilBook(opened.page)
    return opened
  }

  test('the page shows the numbers of REST at the displayed block', async () => {
    const { page, faults } = await open()
    const { shown, asked } = await readBoth(page, url)
    assert.ok(shown.numbers.length >= NUMBERS_MIN, `${shown.numbers.length} numbers`)
    assert.deepEqual(shown, asked)
    await page.waitForSelector('.drawing canvas')
    await page.waitForSelector('.trades tbody tr')
    assert.deepEqual(faults, [], 'its own policy stops nothing of it')
  })

  test('a chosen market is shown, also in the URL and the title, and from that URL', async () => {
    const { page, faults } = await open()
    const first = await readBook(page)
    const other = first.market === 'ETH-PERP' ? 'BTC-PERP' : 'ETH-PERP'
    await chooseMarket(page, other)
    await untilMarket(page, other)
    const { shown, asked } = await readBoth(page, url)
    assert.equal(shown.market, other)
    assert.deepEqual(shown, asked)
    await page.reload()
    await untilBook(page)
    await untilMarket(page, other)
    assert.deepEqual(faults, [])
  })

  test('pages for markets and status are in the browser history', async () => {
    const { page, faults } = await open()
    const { market } = await readBook(page)
    await goTo(page, 'Markets')
    const names = page.locator('.list tbody a')
    await names.first().waitFor()
    const other = (await names.allTextContents()).find((name) => name !== market) ?? ''
    await names.filter({ hasText: other }).click()
    await untilMarket(page, other)
    await page.goBack()
    await names.first().waitFor()
    await page.goBack()
    await untilMarket(page, market)
    await page.goto(`${url}/?page=status`)
    await page.locator('.judged-good', { hasText: 'yes' }).waitFor()
    assert.deepEqual(faults, [])
  })

  for (const theme of THEMES)
    test(`the page passes axe, ${theme}`, async () => {
      const { page } = await open({ colorScheme: theme })
      for (const name of PAGES) {
        if (name !== 'trade') await page.goto(`${url}/?page=${name}`)
        await untilPage(page, name)
        for (const width of AXE_WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT })
          assert.deepEqual(await findBarriers(page), [], `${name} at ${width} px`)
        }
      }
    })

  test('the page needs no horizontal scrolling, from a phone to a wide screen', async () => {
    const { page } = await open()
    for (const name of PAGES) {
      if (name !== 'trade') await page.goto(`${url}/?page=${name}`)
      await untilPage(page, name)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(wide <= width, `${name}: ${wide} px of ${width}`)
      }
    }
  })

  test('the page reports that a part of it could not be loaded, and loads it later', async () => {
    const lost = /assets\/(handlers|markets-page)-[^/]*\.js$/
    opened = await openPage(browser, 'about:blank')
    const { page, faults } = opened
    const refused = new Set<string>()
    await page.context().route(lost, (route) => {
      refused.add(lost.exec(route.request().url())?.[1] ?? '')
      return route.abort()
    })
    await page.goto(url)
    await untilBook(page)
    await page.waitForSelector('.drawing canvas')
    await page.evaluate(() =>
      document.querySelector<HTMLAnchorElement>('.page-links a[href*="page=markets"]')?.click(),
    )
    const banner = page.getByText('A part of this page could not be loaded')
    await banner.waitFor()
    // The code for orders is loaded a while after the book.
    while (!refused.has('handlers')) await page.waitForEvent('requestfailed')
    assert.deepEqual([...refused].sort(), ['handlers', 'markets-page'])
    await page.context().unroute(lost)
    await page.locator('main.sheet table').waitFor()
    await banner.waitFor({ state: 'detached' })
    // The request handlers are loaded as well.
    await page.goBack()
    await page.getByRole('button', { name: 'Get test money' }).first().waitFor()
    assert.deepEqual(faults, [])
  })

  test('the page updates the texts of the header and of the book in place', async () => {
    const { page, faults } = await open()
    await readBook(page)
    await page.locator('.facts dd').first().waitFor()
    const { changed, added } = await watchParts(page)
    assert.ok(changed >= FACTS_CHANGED, `${changed} prices have moved`)
    assert.deepEqual(added, [])
    assert.deepEqual(faults, [])
  })

  test('the page runs no injected script, even on a host that sends no headers', async () => {
    const inline = '<script>globalThis.injected = "a script"</script>'
    const handler = '<img src="./none.png" onerror="globalThis.injected = 1">'
    const host = await staticHost({ apiUrl: url }, `${inline}${handler}`)
    try {
      opened = await openPage(browser, host.url)
      const { page, faults } = opened
      await untilBook(page)
      await page.waitForSelector('.drawing canvas')
      assert.equal(await page.evaluate(() => 'injected' in globalThis), false)
      const refused = await page.evaluate(() => {
        try {
          document.body.insertAdjacentHTML('beforeend', '<p>markup</p>')
          return ''
        } catch (error) {
          return String(error)
        }
      })
      assert.match(refused, /TrustedHTML/)
      const stopped = faults.filter((text) => /inline (script|event handler)/.test(text))
      assert.equal(stopped.length, 2, faults.join('; '))
      const others = faults.filter((text) => !stopped.includes(text) && !/TrustedHTML/.test(text))
      assert.deepEqual(others, [], 'it stops nothing of the page')
    } finally {
      host.server.close()
    }
  })

  test('the page reports that the venue is down, and resumes when it is back', async () => {
    const { page, faults } = await open()
    const { block } = await readBook(page)
    const { dataDir, devnet } = venue
    await devnet.stop()
    await page.waitForFunction((words) => {
      const trust = document.querySelector('.stale .trust')?.textContent ?? ''
      return new RegExp(words).test(trust)
    }, AWAY.source)
    venue = await startPageVenue({ dataDir, port: Number(new URL(url).port) })
    await page.waitForFunction(() => document.querySelector('.stale') === null, undefined, {
      timeout: AGAIN_MS_MAX,
    })
    await page.waitForFunction(
      (seen) => {
        const [, text = ''] =
          /block ([\d,]+)/.exec(document.querySelector('.trust')?.textContent ?? '') ?? []
        return Number(text.replaceAll(',', '')) > seen
      },
      block,
      { timeout: PATIENCE_MS },
    )
    const { shown, asked } = await readBoth(page, url)
    assert.deepEqual(shown, asked)
    assert.deepEqual(faults, [])
  })
})

/** Waits until URL and title show the market. */
const untilMarket = (page: Page, market: string) =>
  page.waitForFunction(
    (name) =>
      document.title.includes(name) &&
      new URL(location.href).searchParams.get('market') === name &&
      document.querySelector('.market-name')?.textContent === name,
    market,
  )

/** Returns how many header values have changed, and the elements added meanwhile. */
async function watchParts(page: Page): Promise<{ changed: number; added: readonly string[] }> {
  await page.evaluate(() => {
    const texts = [...document.querySelectorAll('.facts dd')].map(
      (one) => [one, one.textContent] as const,
    )
    const added: string[] = []
    const isMade = (node: Node) => node instanceof Element && !node.matches('.own')
    const watch = new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (isMade(node)) added.push((node as Element).outerHTML)
    })
    for (const part of document.querySelectorAll('.facts, .book table'))
      watch.observe(part, { childList: true, subtree: true })
    const read = () => ({
      changed: texts.filter(([one, text]) => one.textContent !== text).length,
      added,
    })
    Object.assign(window, { readParts: read })
  })
  const found = await page.waitForFunction((least) => {
    const { readParts } = window as unknown as { readParts: () => DomChanges }
    const parts = readParts()
    return parts.changed >= least || parts.added.length > 0 ? parts : undefined
  }, FACTS_CHANGED)
  return (await found.jsonValue()) as DomChanges
}
type DomChanges = { changed: number; added: string[] }
