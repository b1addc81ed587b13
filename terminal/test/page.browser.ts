// The page in a real browser, on a venue of its own: what it shows is what the venue says, at every
// width, in both themes, and while the venue is away.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { PAGES, type Page as PageName } from '../src/shell/route.ts'
import { findBarriers } from './barriers.ts'
import { type Opened, openPage, PATIENCE_MS, startBrowser } from './browser.ts'
import { startPageVenue } from './page-venue.ts'
import { readBook, readBoth, untilBook } from './shown-market.ts'
import { staticHost } from './static-host.ts'

const WIDTHS = [360, 768, 1280, 1920]
const AXE_WIDTHS = [360, 1280]
const HEIGHT = 900
const THEMES = ['dark', 'light'] as const
const NUMBERS_MIN = 20
/** Values of the header that are waited for to change. */
const FACTS_CHANGED = 2
/** What the page says when nobody answers. */
const AWAY = /connection lost|no answer|trying again/
/** A stopped venue starts again in a third of that. */
const AGAIN_MS_MAX = 90_000

/** What each page has once it has its own rows, or says whose it needs: nobody has an account. */
const OWN: Readonly<Record<PageName, string>> = {
  trade: 'main.trade .trades tbody tr',
  markets: 'main.sheet .list tbody tr a',
  portfolio: 'main.sheet >> text=Connect a wallet and enable trading',
  accounts: 'main.sheet >> text=Connect a wallet and enable trading',
  keys: 'main.sheet >> text=Connect a wallet and enable trading',
  look: 'main.sheet input',
  status: 'main.sheet .facts-list dd.judged-good, main.sheet .facts-list .judged-good',
  faucet: 'main.sheet .facts-list dd',
  pools: 'main.sheet >> text=knows no host of pools',
}
const untilPage = (page: Page, name: PageName) => page.locator(OWN[name]).first().waitFor()

describe('the page', () => {
  let venue: TestVenue
  let browser: Browser
  let url = ''
  let opened: Opened
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

  test('shows the numbers that REST has at the block that it names', async () => {
    const { page, faults } = await open()
    const { shown, asked } = await readBoth(page, url)
    assert.ok(shown.numbers.length >= NUMBERS_MIN, `${shown.numbers.length} numbers`)
    assert.deepEqual(shown, asked)
    await page.waitForSelector('.drawing canvas')
    await page.waitForSelector('.trades tbody tr')
    assert.deepEqual(faults, [], 'its own policy stops nothing of it')
  })

  test('shows another market when one is chosen, in the URL and the title, and from that URL', async () => {
    const { page, faults } = await open()
    const first = await readBook(page)
    const names = await page.locator('.market select option').allTextContents()
    const other = names.find((name) => name !== first.market && /PERP/.test(name)) ?? ''
    await page.locator('.market select').selectOption(other)
    await untilMarket(page, other)
    const { shown, asked } = await readBoth(page, url)
    assert.equal(shown.market, other)
    assert.deepEqual(shown, asked)
    await page.reload()
    await untilBook(page)
    await untilMarket(page, other)
    assert.deepEqual(faults, [])
  })

  test('has pages for markets and status, which back and forward find', async () => {
    const { page, faults } = await open()
    const { market } = await readBook(page)
    await page.locator('.page-links a', { hasText: 'Markets' }).click()
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
    test(`has no barrier that axe finds, ${theme}`, async () => {
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

  test('needs no scrolling to the side, from a phone to a wide screen', async () => {
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

  test('says that a part of it could not be loaded, and loads it once it can be', async () => {
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
    // The parts for orders are loaded a while after the book.
    while (!refused.has('handlers')) await page.waitForEvent('requestfailed')
    assert.deepEqual([...refused].sort(), ['handlers', 'markets-page'])
    await page.context().unroute(lost)
    await page.locator('main.sheet table').waitFor()
    await banner.waitFor({ state: 'detached' })
    // What answers the page's questions has come as well.
    await page.goBack()
    await page.getByRole('button', { name: 'Get test money' }).first().waitFor()
    assert.deepEqual(faults, [])
  })

  test('changes the texts of the header and of the book, and makes none of their parts anew', async () => {
    const { page, faults } = await open()
    await readBook(page)
    await page.locator('.facts dd').first().waitFor()
    const { changed, added } = await watchParts(page)
    assert.ok(changed >= FACTS_CHANGED, `${changed} prices have moved`)
    assert.deepEqual(added, [])
    assert.deepEqual(faults, [])
  })

  test('runs no script that somebody gets into it, also where a host without headers serves it', async () => {
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

  test('says that the venue is away, and goes on when it is back', async () => {
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

/** Waits until URL and title name the market. */
const untilMarket = (page: Page, market: string) =>
  page.waitForFunction(
    (name) =>
      document.title.includes(name) &&
      new URL(location.href).searchParams.get('market') === name &&
      document.querySelector<HTMLSelectElement>('.market select')?.value === name,
    market,
  )

/** Returns how many values of the header have changed, and what was made anew meanwhile. */
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
    const { readParts } = window as unknown as { readParts: () => Parts }
    const parts = readParts()
    return parts.changed >= least || parts.added.length > 0 ? parts : undefined
  }, FACTS_CHANGED)
  return (await found.jsonValue()) as Parts
}
type Parts = { changed: number; added: string[] }
